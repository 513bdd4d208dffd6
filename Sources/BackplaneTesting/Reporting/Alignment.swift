/// Two sequences side by side: their common elements, in order, and the elements of only one
/// sequence.
///
/// The number of common elements is as large as possible. Where the sequences differ, the elements
/// of the first one come first.
enum Alignment<First, Second> {
    case both(First, Second)
    case first(First)
    case second(Second)

    /// Aligns `first` and `second`; two elements are common if `match` returns `true` for them.
    static func of(_ first: [First], _ second: [Second], by match: (First, Second) -> Bool) -> [Alignment] {
        let difference = second.map(Alignment.second).difference(from: first.map(Alignment.first)) { one, other in
            // The standard library compares elements of one type, and their order in the call is
            // not documented.
            switch (one, other) {
            case (.first(let first), .second(let second)), (.second(let second), .first(let first)):
                match(first, second)
            default: false
            }
        }
        var (onlyFirst, onlySecond): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let offset, _, _): onlyFirst.insert(offset)
            case .insert(let offset, _, _): onlySecond.insert(offset)
            }
        }
        var alignment: [Alignment] = []
        var (left, right) = (0, 0)
        while left < first.count || right < second.count {
            if onlyFirst.contains(left) {
                alignment.append(.first(first[left]))
                left += 1
            } else if onlySecond.contains(right) {
                alignment.append(.second(second[right]))
                right += 1
            } else {
                alignment.append(.both(first[left], second[right]))
                left += 1
                right += 1
            }
        }
        return alignment
    }
}
