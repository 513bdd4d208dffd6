import Foundation

/// The requests that the server has seen, and its effects, in order.
struct History: Sendable {
    /// A request with an operation.
    struct Exchange: Sendable {
        let key: String
        let operation: TortureOperation
        /// The user whose token it had, or `nil` if the token was refused.
        var user: String?
        /// The method, the path and the body.
        let request: Data
        let condition: String?
        /// When it arrived.
        let arrival: Int
        /// When it was carried out.
        var execution: Int?
        /// How often others had changed its record until then.
        var foreignChanges: [Int] = []
        /// The status of the response, also if the response was lost.
        var status: Int?

        /// The exchange in one line.
        var description: String {
            "\(arrival) \(operation.number) e\(operation.edition) \(key.suffix(6))"
                + (condition.map { " if \($0)" } ?? "") + " as \(user ?? "-")"
                + " -> \(status.map(String.init) ?? "-")" + (execution.map { " done \($0)" } ?? "")
        }

        /// Whether the status says that the operation was not carried out.
        var isRefusal: Bool {
            guard let status else { return false }
            return (400..<500).contains(status) && ![401, 408, 425, 426, 429].contains(status)
        }
    }

    private(set) var exchanges: [Exchange] = []
    /// When a client has learned that an operation is discarded.
    private(set) var discards: [Int: Int] = [:]
    /// The operations about which a client has learned by a question that they were carried out.
    var findings: Set<Int> = []
    /// The operations about which a client was told that they were not carried out.
    var absences: Set<Int> = []
    /// Breaches of the rules that the server sees by itself: the kind and the operation.
    var breaches: [(violation: Violation, number: Int)] = []
    private var time = 0

    /// Counts the events, which is the only clock of the history.
    mutating func tick() -> Int {
        time += 1
        return time
    }

    /// Adds a request, and returns its number.
    mutating func arrived(
        _ operation: TortureOperation,
        key: String,
        request: Data,
        condition: String?
    ) -> Int {
        exchanges.append(
            Exchange(key: key, operation: operation, request: request, condition: condition, arrival: tick())
        )
        return exchanges.count - 1
    }

    mutating func change(_ index: Int, _ body: (inout Exchange) -> Void) { body(&exchanges[index]) }

    mutating func discarded(_ number: Int) { discards[number] = discards[number] ?? tick() }
}
