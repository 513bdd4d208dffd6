/// A generator of JSON objects with unexpected values in some places, and of damaged JSON text.
package struct HostileJSON {
    private static let hostileValues = [
        "0", "-0", "1", "-1", "0.5", "900", "1e3", "1e300", "-1e300", "1e-300", "1e308", "1e400", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551616", "1e21", "0x10", "NaN", "Infinity",
        "true",
        "false", "null", "[]", "{}", "[[]]", #""""#, #""nan""#, #""-nan""#, #""inf""#, #""-infinity""#, #""1e999""#,
        #""0x1p1023""#, #""900""#, #""+1""#, #""\u0000""#, #""\ud800""#, #""é""#, #""course#3""#,
        #""course#99999999999999999999""#,
    ]

    private var generator: SeededGenerator
    private let shape: [(key: String, values: [String])]

    /// Creates a generator of texts with these keys; each key usually has one of its values.
    package init(_ shape: KeyValuePairs<String, [String]>, seed: UInt64) {
        self.shape = shape.map { ($0.key, $0.value) }
        generator = SeededGenerator(seed: seed)
    }

    /// Returns the next text.
    package mutating func next() -> String {
        var text = object(depth: 2)
        while generator.chance(10) { text = damaged(text) }
        return text
    }

    private mutating func object(depth: Int) -> String {
        var members: [String] = []
        for (key, values) in shape where generator.chance(85) {
            let expected = generator.chance(80) ? values.randomElement(using: &generator) : nil
            members.append("\"\(key)\":\(expected ?? value(depth: depth))")
        }
        return "{\(members.shuffled(using: &generator).joined(separator: ","))}"
    }

    private mutating func value(depth: Int) -> String {
        if depth > 0, generator.chance(20) { return object(depth: depth - 1) }
        if depth > 0, generator.chance(15) {
            let elements = (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth - 1) }
            return "[\(elements.joined(separator: ","))]"
        }
        return Self.hostileValues.randomElement(using: &generator) ?? "0"
    }

    private mutating func damaged(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        let index = Int.random(in: 0..<scalars.count, using: &generator)
        if generator.chance(50), scalars.count > 1 {
            scalars.remove(at: index)
        } else {
            scalars[index] = Unicode.Scalar(UInt8.random(in: 0...255, using: &generator))
        }
        var damaged = String.UnicodeScalarView()
        damaged.append(contentsOf: scalars)
        return String(damaged)
    }
}
