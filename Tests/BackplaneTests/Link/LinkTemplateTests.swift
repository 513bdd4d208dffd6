import Testing

@testable import Backplane

struct LinkTemplateTests {
    @Test(arguments: [
        "{", "}", "{}", "a{id}", "{id}b", "{a}{b}", "{a-b}", "{a/b}", "{id}/{id}", "a?b", "a?b=c", "a?={id}",
        "a?b={id}&b={other}", "{id}?b={id}", "a%20b", "a b", "a#b", "a//b", "a/../b", "//a/b", "https://",
        "https://{host}/a",
        "https://user@host/a", "https://höst/a", "my_app://a", "a\\b", "a\nb",
        String(repeating: "a/", count: 65),
    ])
    func `invalid template text is refused with a message that quotes the text and the reason`(_ text: String) throws {
        let error = try #require(throws: LinkError.self) { try LinkTemplate(text) }
        #expect(error.code == .invalidTemplate)
        #expect(error.message.hasPrefix("The link template \"\(text)\" is invalid. "))
        #expect(error.message.hasSuffix("."))
    }

    @Test(arguments: [
        "", "/", "course/{id}", "/course/{id}/", "a?b={c}", "{course_ID2}", "a:b/c", "https://h:1/{x}?y={z}",
    ])
    func `a valid template keeps its spelling`(_ text: String) throws {
        #expect(try LinkTemplate(text).description == text)
    }

    @Test func `the error of a template with a space does not suggest percent-encoding`() throws {
        let text = "new course"
        let error = try #require(throws: LinkError.self) { try LinkTemplate(text) }
        #expect(error.message.hasSuffix("Write it without '%', '#' and spaces."))
    }
}
