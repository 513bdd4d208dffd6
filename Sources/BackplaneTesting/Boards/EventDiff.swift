/// What was expected beside what happened.
struct EventDiff {
    private enum Line {
        case same(String)
        case missing(String)
        case unexpected(String)
    }

    /// Either side, so that the two can be compared.
    private enum Side {
        case expected(ExpectedEvent)
        case seen(RecordedEvent)

        static func match(_ one: Side, _ other: Side) -> Bool {
            switch (one, other) {
            case (.expected(let expected), .seen(let seen)), (.seen(let seen), .expected(let expected)):
                expected.matches(seen)
            default: false
            }
        }
    }

    private var lines: [Line] = []
    private var remedies: [String] = []
    private(set) var missing = 0
    private(set) var unexpected = 0
    /// How many of the events that happened come before, or are, the last one that was expected.
    private(set) var matchedThrough = 0

    init(expected: [ExpectedEvent], seen: [RecordedEvent]) {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in seen.map(Side.seen).difference(from: expected.map(Side.expected), by: Side.match) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (left, right) = (0, 0)
        while left < expected.count || right < seen.count {
            if removed.contains(left) {
                lines.append(.missing(expected[left].description))
                missing += 1
                left += 1
            } else if inserted.contains(right) {
                lines.append(.unexpected(seen[right].text))
                if let remedy = seen[right].remedy, !remedies.contains(remedy) { remedies.append(remedy) }
                unexpected += 1
                right += 1
            } else {
                lines.append(.same(seen[right].text))
                left += 1
                right += 1
                matchedThrough = right
            }
        }
    }

    var isEmpty: Bool { missing + unexpected == 0 }

    /// A line for each event, marked where the two sides differ, and what the odd ones say about themselves.
    var text: String {
        let lines = lines.map { line in
            switch line {
            case .same(let text): Self.marked(" ", text)
            case .missing(let text): Self.marked("−", text)
            case .unexpected(let text): Self.marked("+", text)
            }
        }
        let notes = remedies.isEmpty ? [] : [""] + remedies
        return (lines + notes).joined(separator: "\n")
    }

    private static func marked(_ mark: String, _ text: String) -> String {
        "  \(mark) " + text.replacing("\n", with: "\n    ")
    }
}
