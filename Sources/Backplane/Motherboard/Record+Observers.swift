extension Record {
    func addObserver(_ flow: Flow<Happening<Contract>>) { needExtras().observers.append(flow) }

    // Functions of their own, not inlined, and called behind a look at the count: even to mention the generic type
    // `Happening` costs a look-up in unspecialized code.

    @inline(never)
    func noticeActivation(_ input: Contract.Input) { tellObservers(.activated(input)) }

    @inline(never)
    func noticeOutput(_ output: Contract.Output) { tellObservers(.sent(output)) }

    @inline(never)
    func noticeCommand(_ command: Contract.Command) { tellObservers(.received(command)) }

    @inline(never)
    func noticeCompletion(_ completion: Completion) { tellObservers(.completed(completion)) }

    /// Tells the observers of boards of this ID, here and around.
    private func tellObservers(_ happening: Happening<Contract>) {
        var level: Motherboard? = standing == .orphaned ? nil : motherboard
        while let motherboard = level {
            if let record = motherboard.existingRecord(for: id) {
                record.extras?.observers.fire(happening, from: record)
            }
            level = motherboard.parent
        }
    }
}
