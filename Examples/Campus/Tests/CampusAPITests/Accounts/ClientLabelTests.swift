import Testing

@testable import CampusAPI

struct ClientLabelTests {
    private static let webKit = "AppleWebKit/537.36 (KHTML, like Gecko)"

    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(webKit) Chrome/142.0.0.0 Safari/537.36", "Chrome on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) \(webKit) HeadlessChrome/142.0.0.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) \(webKit) Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 16) \(webKit) Chrome/142.0 Mobile Safari/537.36", "Chrome on Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) \(webKit) Version/19.1 Safari/604.1",
            "Safari on iPhone"
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit) Version/19.1 Safari/605.1", "Safari on macOS"),
        ("Firefox/1.0", "Firefox"),
        ("curl/8.14.1", "curl"),
        ("campus (unknown version) Foundation", "campus"),
        ("cu\u{202E}rl/8.14.1", "cu"),
        ("e\u{301}\u{301}\u{301}", "e"),
    ])
    func `a client's label is the familiar name of the client and its system`(userAgent: String, label: String) {
        #expect(ClientLabel.label(of: userAgent) == label)
    }

    @Test(arguments: ["", " ", "/"])
    func `a client without a name has no label`(userAgent: String) {
        #expect(ClientLabel.label(of: userAgent) == nil)
    }

    @Test func `a label has a limited length`() {
        #expect(ClientLabel.label(of: String(repeating: "x", count: 10_000))?.count == ClientLabel.limit)
    }
}
