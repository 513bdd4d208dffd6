/// A board ID as Swift source: `.searchField` for the name "searchField" or "search-field".
struct BoardText: CustomStringConvertible {
    let description: String

    init(_ name: String) {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        description = "." + (words.first ?? "") + rest.joined()
    }
}
