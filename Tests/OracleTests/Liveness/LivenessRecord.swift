/// The faults of a trace, and what happened in it.
struct LivenessRecord: Sendable {
    struct Fault: Hashable, Sendable {
        let rule: String
        let text: String
    }

    /// The first fault, or `nil`; later ones may follow from it.
    var fault: Fault?
    var log: [String] = []

    mutating func blame(_ rule: String, _ text: String, _ detail: String) {
        log.append("FAULT \(rule): \(text) (\(detail))")
        if fault == nil { fault = Fault(rule: rule, text: text) }
    }
}
