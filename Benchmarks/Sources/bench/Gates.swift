import Backplane

extension Operation {
    /// Activates a live board behind a gate, whose live gate board decides at once.
    static func gatedActivation(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let gate = BoardID<OpenGate.Contract>(longName("gate", 0))
        let guarded = BoardID<Counting>(longName("guarded", 0))
        motherboard.register(gate, OpenGate.init)
        let counter = motherboard.plug(guarded, Counter.init)
        motherboard.gate(guarded, by: gate) { $0 ? .open : .closed }
        return Operation { count in
            for number in 0..<count { motherboard.activate(guarded, with: number) }
            consume(counter.sum)
        }
    }
}
