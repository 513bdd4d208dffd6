/// Compares what the clients have saved with what the server has carried out.
struct Comparison {
    /// The operations that one process has enqueued for one user, one after the other.
    struct Block {
        let numbers: Range<Int>
        /// The process.
        let writer: Int
        /// Grows from one process to the next; the same for processes that ran at the same time.
        let generation: Int
    }

    var blocks: [Block]
    /// The operations whose `enqueue` has returned.
    var saved: Set<Int> = []
    /// The operations whose `enqueue` has thrown an error.
    var refused: Set<Int> = []
    /// The executions in order.
    var history: [Execution]
    /// The operations that are left in the file, with their states.
    var left: [Int: String] = [:]

    /// Adds the differences to a report, and prints the operations concerned.
    func add(to report: inout Report) {
        report.operations += saved.count
        report.executions += history.count
        let executed = Set(history.map(\.operation.number))
        let missing = saved.filter { number in
            let lastState = TortureOperation.lastState(of: number)
            return lastState == nil ? !executed.contains(number) : left[number] != lastState
        }
        let (first, repeated) = firstExecutions()
        report.lost += note("lost", missing)
        report.duplicated += note("duplicated", repeated)
        report.reordered += note("reordered", reordered(first))
        let others: [(kind: String, numbers: [Int])] = [
            (
                "sent with another user's token",
                history.filter { $0.user != $0.operation.account }.map(\.operation.number)
            ),
            ("carried out though not saved", Array(refused.intersection(executed))),
            ("left in the file", left.filter { TortureOperation.lastState(of: $0.key) != $0.value }.map(\.key)),
        ]
        for other in others where !other.numbers.isEmpty {
            report.others[other.kind, default: 0] += note(other.kind, other.numbers)
        }
    }

    private func note(_ kind: String, _ numbers: some Collection<Int>) -> Int {
        if !numbers.isEmpty { print("  \(kind): operations \(numbers.sorted())") }
        return numbers.count
    }

    /// Returns the operations in the order of their first executions, and the further executions.
    private func firstExecutions() -> (first: [TortureOperation], repeated: [Int]) {
        var seen: Set<Int> = []
        var (first, repeated) = ([] as [TortureOperation], [] as [Int])
        for execution in history {
            if seen.insert(execution.operation.number).inserted {
                first.append(execution.operation)
            } else {
                repeated.append(execution.operation.number)
            }
        }
        return (first, repeated)
    }

    /// Returns the operations that overtook or were overtaken in their entity.
    ///
    /// Operations of processes that ran at the same time have no order among each other.
    private func reordered(_ operations: [TortureOperation]) -> [Int] {
        struct Progress {
            var generation = 0
            var numbers: [Int: Int] = [:]
        }
        var progress: [String: Progress] = [:]
        var found: [Int] = []
        for operation in operations {
            guard let block = blocks.first(where: { $0.numbers.contains(operation.number) }) else { continue }
            let entity = "\(operation.account)/\(operation.entity)"
            var current = progress[entity] ?? Progress()
            if block.generation < current.generation || operation.number < current.numbers[block.writer] ?? 0 {
                found.append(operation.number)
            }
            current.generation = max(current.generation, block.generation)
            current.numbers[block.writer] = operation.number
            progress[entity] = current
        }
        return found
    }
}
