import Backplane

extension Operation {
    /// A live board sends; a flow step activates another live board; nothing is under way before.
    ///
    /// On the motherboard are so many other live boards, each with a flow.
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
        motherboard.removeFlow(motherboard.registerFlow(from: ids[0]) { _, _ in })
        return Operation { count in
            withExtendedLifetime(motherboard) {
                for number in 0..<count { sender.send(number) }
            }
            consume(receiver.sum)
        }
    }

    /// The same, sent in the middle of a delivery: a ring of ten boards, each sending on when it is activated.
    ///
    /// One hop in a thousand starts from idle.
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

    /// A command to a live board by its identity, to sixteen boards in turn.
    static func command(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let ids = BoardID.numbered(16)
        let boards = ids.map { motherboard.plug($0, Counter.init) }
        return Operation { count in
            for number in 0..<count { motherboard.send(number, to: ids[number % 16]) }
            consume(boards[0].sum)
        }
    }

    /// Commands through the handle of an activation: sixty-four to each of sixteen boards in turn, so that what is measured
    /// is the command and not taking the handle out of an array.
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

/// The wish that `action-4` is about.
private struct Deposit: BoardFlowAction {
    let amount: Int
}

/// Another, which a motherboard has a handler for, too.
private struct Withdrawal: BoardFlowAction {}

extension Operation {
    /// An action that is handled on the motherboard so many levels above the one it was sent on.
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
