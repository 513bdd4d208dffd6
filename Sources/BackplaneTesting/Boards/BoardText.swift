/// A board's ID as a test would write it: `.searchField` for the name "searchField" or "search-field".
struct BoardText: CustomStringConvertible {
    let description: String

    init(_ name: String) {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        description = "." + (words.first ?? "") + rest.joined()
    }
}
