/// The faults of a trace, and what happened in it.
struct LivenessRecord: Sendable {
    struct Fault: Hashable, Sendable, CustomStringConvertible {
        let rule: String
        let text: String

        var description: String { "\(rule): \(text)" }
    }

    /// The faults that the library is known to have, and that end no trace.
    var known: Set<Fault> = []
    var knownFaults: Set<Fault> = []
    /// The first fault, or `nil`; later ones may follow from it.
    var fault: Fault?
    var log: [String] = []

    mutating func blame(_ rule: String, _ text: String, _ detail: String) {
        let new = Fault(rule: rule, text: text)
        let isKnown = known.contains(new)
        log.append("\(isKnown ? "KNOWN " : "")FAULT \(rule): \(text) (\(detail))")
        if isKnown { knownFaults.insert(new) } else if fault == nil { fault = new }
    }
}
