import Testing

@testable import BackplaneTesting

struct AlignmentTests {
    @Test(arguments: [
        ("", "", ""), ("a", "a", " a"), ("a", "", "−a"), ("", "a", "+a"), ("a", "b", "−a+b"), ("ab", "cd", "−a−b+c+d"),
        ("abc", "ac", " a−b c"), ("ac", "abc", " a+b c"), ("abc", "bcd", "−a b c+d"), ("abcab", "bcb", "−a b c−a b"),
        ("abc", "axc", " a−b+x c"),
    ])
    func `an alignment keeps the longest common subsequence`(first: String, second: String, expected: String) {
        let alignment = Alignment.of(Array(first), second.map(String.init)) { String($0) == $1 }
        let text = alignment.map { place in
            switch place {
            case .both(let one, let other):
                #expect(String(one) == other)
                return " \(one)"
            case .first(let one): return "−\(one)"
            case .second(let other): return "+\(other)"
            }
        }
        #expect(text.joined() == expected)
    }
}
