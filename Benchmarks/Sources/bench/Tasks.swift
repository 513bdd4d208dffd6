import Backplane

/// The contract of a task: input and output are numbers.
private enum Work: BoardContract {
    typealias Input = Int
    typealias Output = Int
}

extension Operation {
    /// Starts a task board and awaits its result.
    static func taskBoard(on owner: any Actor) -> Operation {
        let motherboard = Motherboard.inUse(on: owner)
        let id = BoardID<Work>(longName("board", 0))
        motherboard.registerTask(id) { number, _ in number }
        return Operation { count in
            var sum = 0
            for number in 0..<count {
                do {
                    sum &+= try await motherboard.result(of: id, with: number)
                } catch {
                    preconditionFailure("A task board gave no result: \(error)")
                }
            }
            consume(sum)
        }
    }

    /// Starts a task on the same actor and awaits its value, as the baseline for a task board.
    static func bareTask(on owner: any Actor) -> Operation {
        Operation { count in await awaitTasks(count, on: owner) }
    }

    private static func awaitTasks(_ count: Int, on owner: isolated any Actor) async {
        var sum = 0
        for number in 0..<count {
            let task = Task {
                // The task inherits an actor that its closure mentions.
                _ = owner
                return number
            }
            sum &+= await task.value
        }
        consume(sum)
    }
}
