import Backplane

/// A board that has one piece of asynchronous work, sends its result and is done.
private final class Worker: Board {
    let slot: Slot<Counting>
    private(set) var work: Task<Void, Never>?

    init(slot: Slot<Counting>) { self.slot = slot }

    func activate(with input: Int) {
        work = task {
            self.send(input)
            self.complete()
        }
    }

    func receive(_ command: Int) {}
}

extension Operation {
    /// A task board is started, and its result awaited.
    static func taskBoard(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let id = BoardID<Counting>(longName("board", 0))
        var latest: Worker?
        var sum = 0
        motherboard.register(id) { slot in
            let worker = Worker(slot: slot)
            latest = worker
            return worker
        }
        motherboard.registerFlow(from: id) { output, _ in sum &+= output }
        return Operation { count in
            for number in 0..<count {
                motherboard.activate(id, with: number)
                await latest?.work?.value
            }
            consume(sum)
        }
    }

    /// What a task board is compared with: a task on the same actor is started, and its value awaited.
    static func bareTask(on owner: any Actor) -> Operation {
        Operation { count in await awaitTasks(count, on: owner) }
    }

    private static func awaitTasks(_ count: Int, on owner: isolated any Actor) async {
        var sum = 0
        for number in 0..<count {
            let task = Task {
                // Mentioned, so that the task inherits it.
                _ = owner
                return number
            }
            sum &+= await task.value
        }
        consume(sum)
    }
}
