import Testing

@testable import Backplane

struct LinkWritingTests {
    @Test(arguments: [
        ("course/{id}", ["id": "abc123"], "/course/abc123"),
        ("/course/{id}/", ["id": "abc123"], "/course/abc123"),
        ("course/{id}?tab={tab}", ["id": "7"], "/course/7"),
        ("course/{id}?tab={tab}", ["id": "7", "tab": "to do"], "/course/7?tab=to%20do"),
        ("a?b={x}&c={y}&d={z}", ["x": "1", "z": ""], "/a?b=1&d="),
        ("a?über:k/e?y={x}", ["x": "1"], "/a?%C3%BCber%3Ak%2Fe%3Fy=1"),
        ("{x}", ["x": "a/b?c#d&e=f+g%h@i:j"], "/a%2Fb%3Fc%23d%26e%3Df%2Bg%25h%40i%3Aj"),
        ("{x}", ["x": "€ 🎓"], "/%E2%82%AC%20%F0%9F%8E%93"),
        ("{x}", ["x": "azAZ09-._~"], "/azAZ09-._~"),
        ("über/{x}", ["x": "..."], "/%C3%BCber/..."),
        ("", [:], "/"),
        ("myapp://course/{id}", ["id": "a:b"], "myapp://course/a%3Ab"),
        ("MyApp://", [:], "myapp://"),
        ("https://Campus.example/course/{id}", ["id": "1"], "https://campus.example/course/1"),
        ("https://campus.example:443", [:], "https://campus.example"),
        ("http://campus.example:443/a", [:], "http://campus.example:443/a"),
    ])
    func `a link is written with its values percent-encoded`(
        _ template: String,
        _ values: [String: String],
        _ link: String
    ) throws {
        #expect(try LinkTemplate(template).link(values) == link)
    }

    @Test(arguments: [
        ([:], LinkError.Code.missingParameter),
        (["tab": "1"], .missingParameter),
        (["id": "1", "page": "1"], .unknownParameter),
        (["id": ""], .emptySegment),
        (["id": "."], .dotSegment),
        (["id": ".."], .dotSegment),
        (["id": "secret\n"], .forbiddenCharacter),
        (["id": "secret\u{85}"], .forbiddenCharacter),
        (["id": "secret\\"], .forbiddenCharacter),
        (["id": "1", "tab": "secret\0"], .forbiddenCharacter),
    ])
    func `a value that no link can contain is refused, and the error does not contain it`(
        _ values: [String: String],
        _ code: LinkError.Code
    ) throws {
        let template: LinkTemplate = "course/{id}?tab={tab}"
        let error = try #require(throws: LinkError.self) { try template.link(values) }
        #expect(error.code == code)
        #expect(error.message.contains("\"course/{id}?tab={tab}\"") && !error.message.contains("secret"))
    }

    @Test func `a template with a colon and slashes in its query has no origin`() throws {
        #expect(try LinkTemplate("a?u://={x}").link(["x": "1"]) == "/a?u%3A%2F%2F=1")
        #expect(try LinkTemplate("/a?u://={x}").link(["x": "1"]) == "/a?u%3A%2F%2F=1")
    }
}
