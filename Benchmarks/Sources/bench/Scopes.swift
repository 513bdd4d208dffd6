import Backplane

extension Operation {
    /// Activates a live board again.
    static func activation(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let id = BoardID<Counting>(longName("plain", 0))
        let counter = motherboard.plug(id, Counter.init)
        return Operation { count in
            for number in 0..<count { motherboard.activate(id, with: number) }
            consume(counter.sum)
        }
    }

    /// Activates a live board inside a live scope again, from outside.
    static func scopedActivation(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let scope = BoardID<Counting>(longName("scope", 0))
        let entrance = BoardID<OpenGate.Contract>(longName("entrance", 0))
        let inside = BoardID<Counting>(longName("inside", 0))
        motherboard.register(entrance, OpenGate.init)
        motherboard.registerScope(scope, enteredBy: entrance) { $0 ? 0 : nil }
        motherboard.declare(inside, inside: scope)
        let counter = motherboard.plug(scope, Counter.init).inner.plug(inside, Counter.init)
        return Operation { count in
            for number in 0..<count { motherboard.activate(inside, with: number) }
            consume(counter.sum)
        }
    }

    /// Reads one of `total` contributions, as part of reading all of them in order.
    static func contributions(_ total: Int, on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let point = ContributionPoint<Int>("numbers")
        for number in 0..<total { motherboard.contribute(to: point, order: number * 7919 % total) { number } }
        return Operation { count in
            var sum = 0
            for _ in 0..<count / total { for number in motherboard.contributions(to: point) { sum += number } }
            consume(sum)
        }
    }
}
