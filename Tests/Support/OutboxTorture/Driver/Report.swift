/// The figures of a run.
struct Report: Codable, Sendable {
    /// How many operations were saved, as the client knows it.
    var operations = 0
    var executions = 0
    var kills = 0
    /// How often processes were killed at each moment.
    var moments: [String: Int] = [:]
    var faults: [String: Int] = [:]
    /// Saved operations that the server has not carried out.
    var lost = 0
    /// Executions of operations that had been carried out before.
    var duplicated = 0
    /// Operations that were carried out after one of their entity that was saved later.
    var reordered = 0
    /// Further violations by their kinds.
    var others: [String: Int] = [:]
    /// The longest time from the end of all faults until everything was sent, in seconds.
    var longestDrain = 0.0

    var violations: Int { lost + duplicated + reordered + others.values.reduce(0, +) }

    static func += (total: inout Report, part: Report) {
        total.operations += part.operations
        total.executions += part.executions
        total.kills += part.kills
        total.moments.merge(part.moments, uniquingKeysWith: +)
        total.faults.merge(part.faults, uniquingKeysWith: +)
        total.lost += part.lost
        total.duplicated += part.duplicated
        total.reordered += part.reordered
        total.others.merge(part.others, uniquingKeysWith: +)
        total.longestDrain = max(total.longestDrain, part.longestDrain)
    }

    /// The figures as lines of text.
    var table: String {
        let drain = (longestDrain * 100).rounded() / 100
        let rows = [
            ("operations saved", "\(operations)"), ("executions", "\(executions)"), ("kills", "\(kills)"),
            ("  by moment", Self.list(moments)), ("faults and answers", Self.list(faults)), ("lost", "\(lost)"),
            ("duplicated", "\(duplicated)"), ("reordered", "\(reordered)"), ("other violations", Self.list(others)),
            ("longest drain", "\(drain) s"),
        ]
        return rows.map { name, value in
            name + String(repeating: " ", count: max(20 - name.count, 1)) + value
        }.joined(separator: "\n")
    }

    private static func list(_ counts: [String: Int]) -> String {
        if counts.isEmpty { return "0" }
        return counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
