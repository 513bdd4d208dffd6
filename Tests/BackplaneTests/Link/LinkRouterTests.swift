import TestSupport
import Testing

@testable import Backplane

/// The result of a router, in a form that a test table can hold.
enum Verdict: Equatable, CustomTestStringConvertible {
    case match(String, [String: String])
    case noMatch
    case notAllowed
    case invalid(LinkError.Code)

    var testDescription: String {
        switch self {
        case .match(let destination, let parameters): "\(destination) \(parameters)"
        case .noMatch: "no match"
        case .notAllowed: "not allowed"
        case .invalid(let code): "invalid: \(code)"
        }
    }
}

extension LinkRouter<String> {
    /// Creates a router whose destinations are the texts of its templates.
    init(
        _ templates: [LinkTemplate],
        schemes: Set<String> = ["MyApp"],
        hosts: Set<String> = ["Campus.example", "127.0.0.1:8080"]
    ) {
        self.init(schemes: schemes, hosts: hosts)
        for template in templates { add(template, template.description) }
    }

    func verdict(_ link: String, reading names: [String] = ["id", "tab"]) -> Verdict {
        switch match(link) {
        case .match(let destination, let parameters):
            var values: [String: String] = [:]
            for name in names { values[name] = try? parameters[name] }
            return .match(destination, values)
        case .noMatch: return .noMatch
        case .notAllowed: return .notAllowed
        case .invalid(let error): return .invalid(error.code)
        }
    }
}

struct LinkRouterTests {
    private let router = LinkRouter([
        "", "course/{id}", "course/new", "search?q={id}&tab={tab}", "https://campus.example/only/{id}", "über/{id}",
    ])

    @Test(
        .rule("B38"),
        arguments: [
            "/course/abc123", "myapp://course/abc123", "MYAPP://course/abc123", "myapp:///course/abc123",
            "myapp:/course/abc123", "myapp:course/abc123", "https://campus.example/course/abc123",
            "HTTPS://CAMPUS.EXAMPLE/course/abc123", "https://campus.example:443/course/abc123",
            "https://127.0.0.1:8080/course/abc123", "/course/abc123/", "/course/abc123#part",
            "/course/abc123#/%ZZ", "/course/abc123?utm_source=mail", "/course/abc123?", "/%63ourse/%61bc123",
        ]
    )
    func `a link by scheme, by listed host or by bare path leads to the same destination`(_ link: String) {
        #expect(router.verdict(link) == .match("course/{id}", ["id": "abc123"]))
    }

    @Test(
        .rule("B38"),
        arguments: [
            ("/", Verdict.match("", [:])),
            ("myapp://", .match("", [:])),
            ("myapp:", .match("", [:])),
            ("https://campus.example", .match("", [:])),
            ("https://campus.example/", .match("", [:])),
            ("/?x=1", .match("", [:])),
            ("/#top", .match("", [:])),
            ("/course/new", .match("course/new", [:])),
            ("/course/New", .match("course/{id}", ["id": "New"])),
            ("https://campus.example/only/7", .match("https://campus.example/only/{id}", ["id": "7"])),
            ("/only/7", .noMatch),
            ("/%C3%BCber/1", .match("über/{id}", ["id": "1"])),
            ("/über/1", .match("über/{id}", ["id": "1"])),
            ("/course", .noMatch),
            ("/course/1/2", .noMatch),
            ("/Course/1", .noMatch),
            ("myapp://Course/1", .noMatch),
            ("myapp://c\u{43E}urse/1", .noMatch),
            ("/\u{212A}urs", .noMatch),
            ("https://campus.example/nowhere", .noMatch),
        ]
    )
    func `literals are compared exactly and the number of segments must match`(_ link: String, _ verdict: Verdict) {
        #expect(router.verdict(link) == verdict)
    }

    @Test(
        .rule("B38"),
        arguments: [
            ("/course/a%2Fb", "a/b"),
            ("/course/%2541", "%41"),
            ("/course/a%20b", "a b"),
            ("/course/%E2%82%AC", "€"),
            ("/course/a+b", "a+b"),
            ("/course/a%3Fb%23c", "a?b#c"),
            ("/course/a:b@c", "a:b@c"),
            ("/course/...", "..."),
            ("/course/%F0%9F%8E%93", "🎓"),
        ]
    )
    func `a parameter is decoded once, after the path is split`(_ link: String, _ id: String) {
        #expect(router.verdict(link) == .match("course/{id}", ["id": id]))
    }

    @Test(
        .rule("B38"),
        arguments: [
            ("/search", [:]),
            ("/search?q=swift&tab=all", ["id": "swift", "tab": "all"]),
            ("/search?tab=all&q=a%26b", ["id": "a&b", "tab": "all"]),
            ("/search?q=first&q=second", ["id": "first"]),
            ("/search?q", ["id": ""]),
            ("/search?q=a=b", ["id": "a=b"]),
            ("/search?Q=1&&other=2", [:]),
            ("/search?%71=encoded", ["id": "encoded"]),
        ]
    )
    func `only the query parameters of the template are read`(_ link: String, _ values: [String: String]) {
        #expect(router.verdict(link) == .match("search?q={id}&tab={tab}", values))
    }

    @Test(
        .rule("B59"),
        arguments: [
            "other://course/1", "https://evil.example/course/1", "http://campus.example/course/1",
            "javascript:alert(1)",
            "https://campus.example.evil.example/course/1", "https://campus.example./course/1",
            "mailto:a@campus.example",
            "https://campus.example:8443/course/1", "https://campus.example:80/course/1", "https://127.0.0.1/course/1",
            "campus.example:443/course/1",
            "https://xn--cmpus-example-fake/course/1", "ftp://campus.example/course/1", "https://evil.example/%ZZ",
            "file:///course/1",
        ]
    )
    func `a link with an unlisted origin is not allowed, for any path`(_ link: String) {
        #expect(router.verdict(link) == .notAllowed)
    }

    private static let hostileLinks: KeyValuePairs<LinkError.Code, [String]> = [
        .invalidAuthority: [
            "https://c\u{430}mpus.example/course/1", "https://campus\u{3002}example/course/1",
            "https://%63ampus.example/course/1", "https://campus.example@evil.example/course/1",
            "https://user:secret@campus.example/course/1", "https://@campus.example/course/1",
            "myapp://user@course/1", "myapp://course:80/1", "https://campus.example:/course/1",
            "https://campus.example:65536/course/1", "https://campus.example:000443/course/1",
            "https://campus.example:+443/course/1", "https://campus.example:443:443/course/1",
            "https://[::1]/course/1", "https:///course/1", "https:/campus.example/course/1", "https:course/1",
        ],
        .notAbsolute: [
            "//campus.example/course/1", "///course/1", "", "course/1", "?tab=1", ":course/1", "1app://course/1",
            "my_app://course/1",
        ],
        .forbiddenCharacter: [
            " /course/1", "/course/a b", "/course/\u{0}", "/course/%00", "/course/%0d%0aSet-Cookie", "/course/a%7F",
            "/course/%C2%85", "/course/\u{85}", "/course\\1", "/course/%5C1", "/course/1#\n", "/search?q=%00",
        ],
        .invalidEscape: ["/course/%", "/course/%4", "/course/%G1", "/course/%4\u{FF11}", "/search?other=%"],
        .invalidUTF8: [
            "/course/%FF", "/course/%C0%AE%C0%AE", "/course/%ED%A0%80", "/course/%E2%82", "/search?other=%80",
        ],
        .dotSegment: ["/course/..", "/course/.", "/course/%2e%2E", "/course/.%2e/course/1", "myapp://../course/1"],
        .emptySegment: ["/course//1", "/course/1//", "https://campus.example//", "myapp:////course/1"],
        .tooManySegments: ["/" + String(repeating: "a/", count: 65)],
        .tooManyItems: ["/search?" + String(repeating: "q&", count: 257)],
        .tooLong: ["/course/" + String(repeating: "a", count: 8192)],
    ]

    @Test(.rule("B40"), arguments: hostileLinks.flatMap { code, links in links.map { ($0, code) } })
    func `a hostile or malformed link is invalid with its reason`(_ link: String, _ code: LinkError.Code) {
        #expect(router.verdict(link) == .invalid(code))
    }

    @Test(.rule("B38")) func `query keys and literals are different if their bytes differ`() {
        let router = LinkRouter(["\u{E9}/{tab}?K={id}"])
        #expect(router.verdict("/%C3%A9/1?K=2") == .match("\u{E9}/{tab}?K={id}", ["id": "2", "tab": "1"]))
        #expect(router.verdict("/%C3%A9/1?%E2%84%AA=2") == .match("\u{E9}/{tab}?K={id}", ["tab": "1"]))
        #expect(router.verdict("/e%CC%81/1?K=2") == .noMatch)
    }

    @Test(.rule("B40")) func `a link at the exact limits is allowed`() {
        #expect(router.verdict("/" + String(repeating: "a/", count: 64)) == .noMatch)
        let query = String(repeating: "a&&", count: 255) + "q=1"
        #expect(router.verdict("/search?" + query) == .match("search?q={id}&tab={tab}", ["id": "1"]))
        let id = String(repeating: "a", count: 8192 - "/course/".count)
        #expect(router.verdict("/course/" + id) == .match("course/{id}", ["id": id]))
    }

    @Test(
        .rule("B40"),
        arguments: [
            ("/secret/%ZZ", ""), ("/secret/..", ""), ("secret", ""), ("https://secret@campus.example/", "names a user"),
            ("https://campus.example:443@secret.example/", "names a user"), ("myapp://secret@course", "names a user"),
        ]
    )
    func `the error of a refused link never contains the link, but mentions a user`(_ link: String, _ part: String) {
        guard case .invalid(let error) = router.match(link) else {
            Issue.record("The router did not refuse \(link).")
            return
        }
        #expect(!error.description.contains("secret"))
        #expect(part.isEmpty || error.message.contains(part))
    }

    @Test(.rule("B38")) func `only bare paths are allowed by default`() {
        let router = LinkRouter(["course/{id}"], schemes: [], hosts: [])
        #expect(router.verdict("/course/1") == .match("course/{id}", ["id": "1"]))
        #expect(router.verdict("myapp://course/1") == .notAllowed)
        #expect(router.verdict("https://campus.example/course/1") == .notAllowed)
    }

    @Test(.rule("B38")) func `a template with an origin allows that origin and is preferred there`() {
        let router = LinkRouter(
            ["{a}/{b}", "myapp://{a}/{id}", "http://campus.example:80/course/{id}"],
            schemes: ["http"],
            hosts: ["campus.example"]
        )
        #expect(router.verdict("myapp://course/1") == .match("myapp://{a}/{id}", ["id": "1"]))
        #expect(router.verdict("http://campus.example/course/1").isMatch("http://campus.example:80/course/{id}"))
        #expect(router.verdict("http://campus.example/other/1").isMatch("{a}/{b}"))
        #expect(router.verdict("https://campus.example/course/1").isMatch("{a}/{b}"))
        #expect(router.verdict("http://campus.example:443/other/1") == .notAllowed)
        #expect(router.verdict("/course/1").isMatch("{a}/{b}"))
    }

    @Test(.rule("B38")) func `an origin that is allowed by a template is allowed only for that template`() {
        let router = LinkRouter(["https://partner.example/course/{id}", "partner://course/{id}", "{a}/{b}"], hosts: [])
        #expect(router.verdict("https://partner.example/course/1").isMatch("https://partner.example/course/{id}"))
        #expect(router.verdict("https://partner.example/other/1") == .noMatch)
        #expect(router.verdict("partner://other/1") == .noMatch)
    }

    @Test func `a copy of a router does not change with the original`() {
        let original = LinkRouter(["a"])
        var copy = original
        copy.add("b", "b")
        #expect(original.verdict("/b") == .noMatch)
        #expect(copy.verdict("/b").isMatch("b"))
    }

    @Test(
        .rule("B38"),
        arguments: [("course/{id}", "/course/{name}?tab={tab}"), ("", "/"), ("HTTP://A/x", "http://a:80/x")]
    )
    func `a template that matches the same links as another template is refused`(
        _ first: String,
        _ second: String
    ) throws {
        var router = LinkRouter<Int>()
        try router.insert(LinkTemplate(first), 1)
        let error = try #require(throws: LinkError.self) { try router.insert(LinkTemplate(second), 2) }
        #expect(error.code == .duplicateTemplate)
        #expect(error.message.contains("\"\(first)\"") && error.message.contains("\"\(second)\""))
    }
}

extension Verdict {
    func isMatch(_ destination: String) -> Bool {
        if case .match(destination, _) = self { true } else { false }
    }
}
