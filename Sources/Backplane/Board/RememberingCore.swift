/// A ``SlotCore`` that remembers what its board was activated with last, so that this can be restored.
///
/// For inputs that can be written down, and not for others: those may hold objects that hold the motherboard.
final class RememberingCore<Contract: BoardContract>: SlotCore<Contract> {
    private var input: Contract.Input?

    required init(record: Record<Contract>, generation: UInt64, input: Contract.Input) {
        self.input = input
        super.init(record: record, generation: generation, input: input)
    }

    override func remember(_ input: Contract.Input) {
        self.input = input
    }

    override func end(_ completion: Completion) {
        super.end(completion)
        input = nil
    }

    override var rememberedInput: WrittenPayload {
        guard let input else { return super.rememberedInput }
        return WrittenPayload(input)
    }
}
