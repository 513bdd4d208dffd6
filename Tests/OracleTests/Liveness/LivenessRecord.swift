/// The faults of a trace, and what happened in it.
struct LivenessRecord: Sendable {
    struct Fault: Hashable, Sendable, CustomStringConvertible {
        let rule: String
        let text: String

        var description: String { "\(rule): \(text)" }
    }

    /// The first fault, or `nil`; later ones may follow from it.
    var fault: Fault?
    /// Whether the record is for a reader; texts take most of the time of a trace.
    var keepsLog = false
    var log: [String] = []

    mutating func note(_ line: @autoclosure () -> String) {
        if keepsLog { log.append(line()) }
    }

    mutating func blame(_ rule: String, _ text: String, _ detail: String) {
        let new = Fault(rule: rule, text: text)
        note("FAULT \(new) (\(detail))")
        if fault == nil { fault = new }
    }
}
