/// The figures of a run.
struct Report: Codable, Sendable {
    /// How many operations were saved, as the client knows it.
    var operations = 0
    var executions = 0
    var kills = 0
    /// How often processes were killed at each moment.
    var moments: [String: Int] = [:]
    var faults: [String: Int] = [:]
    /// The decisions of the users.
    var decisions: [String: Int] = [:]
    var violations: [Violation: Int] = [:]
    /// The most requests for one operation.
    var mostRequests = 0
    /// The longest time from the end of all faults until everything was sent, in seconds.
    var longestDrain = 0.0

    static func += (total: inout Report, part: Report) {
        total.operations += part.operations
        total.executions += part.executions
        total.kills += part.kills
        total.moments.merge(part.moments, uniquingKeysWith: +)
        total.faults.merge(part.faults, uniquingKeysWith: +)
        total.decisions.merge(part.decisions, uniquingKeysWith: +)
        total.violations.merge(part.violations, uniquingKeysWith: +)
        total.mostRequests = max(total.mostRequests, part.mostRequests)
        total.longestDrain = max(total.longestDrain, part.longestDrain)
    }

    /// Adds a breach of the rules, and prints it.
    mutating func add(_ violation: Violation, _ detail: String) {
        violations[violation, default: 0] += 1
        say("  \(violation.rawValue): \(detail)")
    }

    /// The figures as lines of text.
    var table: String {
        let drain = (longestDrain * 100).rounded() / 100
        let found = Dictionary(uniqueKeysWithValues: violations.map { ($0.key.rawValue, $0.value) })
        let rows = [
            ("operations saved", "\(operations)"), ("executions", "\(executions)"), ("kills", "\(kills)"),
            ("  by moment", Self.list(moments)), ("faults and answers", Self.list(faults)),
            ("decisions", Self.list(decisions)), ("most requests", "\(mostRequests) for one operation"),
            ("longest drain", "\(drain) s"), ("violations", Self.list(found)),
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
