import Foundation

/// A page as it was loaded, with the values that its script needs.
struct Page: Sendable {
    let html: String
    /// The address that the page posts to and listens on.
    let endpoint: String
    let csrf: String
    /// The secret that the script of the page makes.
    let key = (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    let version: String
    /// The number of the screen in the main area; `nil` if there is none yet.
    let screen: String?

    /// Reads a page.
    ///
    /// - Throws: ``Failure`` if the page has no window, as an error page.
    init(html: String) throws {
        func value(_ name: String) -> String? {
            guard let start = html.range(of: "data-\(name)=\"")?.upperBound else { return nil }
            return String(html[start...].prefix { $0 != "\"" })
        }
        guard let window = value("window"), let csrf = value("csrf"), let version = value("version") else {
            throw Failure("A page without a window was loaded: \(html.prefix(200))")
        }
        self.html = html
        endpoint = "/_host/windows/\(window)/events"
        self.csrf = csrf
        self.version = version
        screen = value("screen")
    }
}

/// A change of a page that its stream brings: of an area, or of one section.
struct PageChange: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
        case area
        case number
        case path
        case html
    }

    /// The area, `main` or `sheet`; `nil` for a section.
    var area: String?
    /// The number of the area's screen.
    var number: String?
    /// The path of the main screen.
    var path: String?
    var html: String?
    /// The time at which the change arrived.
    var time = ContinuousClock.now

    func shows(_ text: String) -> Bool { html?.contains(text) ?? false }
}
