extension Operation {
    /// **L**, the unit of most figures: a look-up in a `[String: Int]` with 1,000 keys of 23 bytes.
    ///
    /// The keys come in random order. The look-ups use the same string objects as the dictionary,
    /// as boards do. Equal strings at other addresses must be compared byte by byte, which takes a
    /// fifth longer.
    static var lookup: Operation {
        let keys = (0..<1000).map { longName("key", $0) }
        let table = Dictionary(uniqueKeysWithValues: zip(keys, 0...))
        let order = keys.shuffled()
        return Operation { count in
            var sum = 0
            var remaining = count
            while remaining > 0 {
                for key in order.prefix(remaining) { sum &+= table[key] ?? 0 }
                remaining -= order.count
            }
            consume(sum)
        }
    }
}

/// Returns a string of 23 bytes, which is too long for inline storage and thus on the heap.
func longName(_ kind: String, _ number: Int) -> String {
    let digits = String(number)
    let padding = String(repeating: "0", count: 22 - kind.utf8.count - digits.utf8.count)
    return "\(kind).\(padding)\(digits)"
}
