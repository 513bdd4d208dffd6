import Backplane

extension Operation {
    /// A live board behind a gate is activated; the gate's board is live, too, and answers while it is asked.
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
