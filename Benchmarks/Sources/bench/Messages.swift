import Backplane

extension Operation {
    /// Sends an output of a live board; a flow step activates another live board with it.
    ///
    /// No delivery is under way before. `others` other live boards are on the motherboard, each
    /// with a flow.
    static func hop(on owner: any Actor, among others: Int = 0) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        for id in BoardID.numbered(others, "other") {
            motherboard.register(id, Leaf.init)
            motherboard.registerFlow(from: id) { _, _ in }
            motherboard.activate(id, with: 0)
        }
        let ids = BoardID.numbered(2)
        let sender = motherboard.plug(ids[0], Leaf.init)
        let receiver = motherboard.plug(ids[1], Counter.init)
        motherboard.registerFlowSteps(ids[0] ->>> ids[1])
        motherboard.remove(motherboard.registerFlow(from: ids[0]) { _, _ in })
        return Operation { count in
            withExtendedLifetime(motherboard) {
                for number in 0..<count { sender.send(number) }
            }
            consume(receiver.sum)
        }
    }

    /// Sends an output during a delivery: a ring of ten boards, each of which sends when it is
    /// activated.
    ///
    /// One hop in a thousand starts outside a delivery.
    static func queuedHop(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(10)
        let boards = ids.map { motherboard.plug($0, Relay.init) }
        for (id, next) in zip(ids, ids.dropFirst() + ids.prefix(1)) { motherboard.registerFlowSteps(id ->>> next) }
        return Operation { count in
            withExtendedLifetime(motherboard) {
                var remaining = count
                while remaining > 0 {
                    boards[0].send(min(remaining, 1000) - 1)
                    remaining -= 1000
                }
            }
        }
    }

    /// Sends a command to a live board by its ID, to sixteen boards in turn.
    static func command(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(16)
        let boards = ids.map { motherboard.plug($0, Counter.init) }
        return Operation { count in
            for number in 0..<count { motherboard.send(number, to: ids[number % 16]) }
            consume(boards[0].sum)
        }
    }

    /// Sends commands through the handle of an activation, 64 to each of sixteen boards in turn.
    ///
    /// The figure measures the command. With 64 commands each, reading the handle from an array
    /// hardly counts.
    static func commandByHandle(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(16)
        let boards = ids.map { motherboard.plug($0, Counter.init) }
        let activations = ids.map { motherboard.activate($0, with: 0) }
        return Operation { count in
            withExtendedLifetime(motherboard) {
                for start in stride(from: 0, to: count, by: 64) {
                    let activation = activations[start / 64 % 16]
                    for number in start..<min(start + 64, count) { activation.send(number) }
                }
            }
            consume(boards[0].sum)
        }
    }
}

/// The action that the figure `action-4` sends.
private struct Deposit: BoardFlowAction {
    let amount: Int
}

/// Another action, for which each motherboard also has a handler.
private struct Withdrawal: BoardFlowAction {}

extension Operation {
    /// Sends an action that a motherboard handles `levels` levels above the sender's motherboard.
    static func action(on owner: any Actor, levels: Int) -> Operation {
        let root = Motherboard.inUse(on: owner)
        var sum = 0
        root.registerGeneralFlow { (deposit: Deposit, _) in sum &+= deposit.amount }
        var innermost = root
        for id in BoardID.numbered(levels) {
            innermost.registerGeneralFlow { (_: Withdrawal, _) in }
            innermost = innermost.plug(id, Leaf.init).inner
        }
        let sender = innermost.plug(BoardID(longName("sender", 0)), Leaf.init)
        return Operation { count in
            withExtendedLifetime(root) {
                for number in 0..<count { sender.sendAction(Deposit(amount: number)) }
            }
            consume(sum)
        }
    }
}
