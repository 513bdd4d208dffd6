import Foundation

/// The words of all pages, for the search in the browser.
struct SearchIndex: Encodable {
    /// The title, path, kind and summary of each page.
    private(set) var pages: [[String]] = []
    /// For each word, the numbers of the pages in which it is.
    ///
    /// The number of a page is negative, minus one, if the word is in its title.
    private(set) var words: [String: [Int]] = [:]

    mutating func add(_ page: Page) {
        let number = pages.count
        pages.append([page.title, page.path, page.kind.rawValue, page.abstract])
        let titles = Self.words(of: page.title)
        for word in titles { words[word, default: []].append(-number - 1) }
        for word in Self.words(of: page.markdown).subtracting(titles) { words[word, default: []].append(number) }
    }

    /// Returns the words of a text in lower case: each as it is written, without its diacritics,
    /// and by its parts if it is an identifier.
    ///
    /// So `đ` is found by `đ` and by `d`, but `d` is not found by `đ`.
    static func words(of text: String) -> Set<String> {
        var result: Set<String> = []
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where word.count < 40 {
            let lower = word.precomposedStringWithCanonicalMapping.lowercased()
            result.insert(lower)
            result.insert(folded(lower))
            for part in word.matches(of: #/[A-Z]?[a-z0-9]{2,}|[A-Z]{2,}/#) { result.insert(part.0.lowercased()) }
        }
        return result
    }

    private static func folded(_ word: String) -> String {
        word.folding(options: .diacriticInsensitive, locale: nil).replacing("đ", with: "d")
    }
}
