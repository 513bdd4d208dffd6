/// The expected events next to the events that happened.
struct EventDiff {
    private let alignment: [Alignment<ExpectedEvent, RecordedEvent>]

    init(expected: [ExpectedEvent], seen: [RecordedEvent]) {
        alignment = Alignment.of(expected, seen) { $0.matches($1) }
    }

    /// Whether all expected events happened, and no others.
    var isEmpty: Bool {
        alignment.allSatisfy { if case .both = $0 { true } else { false } }
    }

    /// Whether an expected event is missing.
    var isMissingSome: Bool {
        alignment.contains { if case .first = $0 { true } else { false } }
    }

    /// The number of events that happened, up to and including the last expected one.
    var matchedThrough: Int {
        let last = alignment.lastIndex { if case .both = $0 { true } else { false } }
        guard let last else { return 0 }
        return alignment[...last].count { if case .first = $0 { false } else { true } }
    }

    /// The lines of both sides, with a mark where they differ, and advice about unexpected events.
    var text: String {
        var lines: [String] = []
        var remedies: [String] = []
        var missing: String?
        for place in alignment {
            switch place {
            case .both(_, let seen):
                lines += Self.marked("−", missing.take()) + Self.marked(" ", seen.text)
            case .first(let expected):
                lines += Self.marked("−", missing.take())
                missing = expected.text
            case .second(let seen):
                if let remedy = seen.remedy, !remedies.contains(remedy) { remedies.append(remedy) }
                lines += Self.replaced(missing.take(), by: seen.text)
            }
        }
        lines += Self.marked("−", missing)
        if !remedies.isEmpty { lines += [""] + remedies }
        return lines.joined(separator: "\n")
    }

    /// Returns the lines for an unexpected event that happened in place of a missing one.
    ///
    /// If both texts have several lines and start alike, the lines are compared one by one.
    private static func replaced(_ missing: String?, by seen: String) -> [String] {
        guard let missing else { return marked("+", seen) }
        let (old, new) = (missing.split(separator: "\n"), seen.split(separator: "\n"))
        guard old.count > 1, new.count > 1, old[0] == new[0] else { return marked("−", missing) + marked("+", seen) }
        return Alignment.of(old, new, by: ==).map { line in
            switch line {
            case .both(let line, _): "    \(line)"
            case .first(let line): "  − \(line)"
            case .second(let line): "  + \(line)"
            }
        }
    }

    private static func marked(_ mark: String, _ text: String?) -> [String] {
        text.map { ["  \(mark) " + $0.replacing("\n", with: "\n    ")] } ?? []
    }
}
