import Backplane

extension Operation {
    /// A board is made, activated and completed, of sixteen identities in turn.
    static func cycle(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(16)
        for id in ids { motherboard.register(id, Leaf.init) }
        return Operation { count in
            for number in 0..<count { motherboard.activate(ids[number % 16], with: number).complete() }
        }
    }
}
