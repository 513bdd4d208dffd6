import Backplane
import Testing

struct LinkTemplateTests {
    @Test(arguments: [
        "{", "}", "{}", "a{id}", "{id}b", "{a}{b}", "{a-b}", "{a/b}", "{id}/{id}", "a?b", "a?b=c", "a?={id}",
        "a?b={id}&b={other}", "{id}?b={id}", "a%20b", "a b", "a#b", "a//b", "a/../b", "//a/b", "https://",
        "https://{host}/a",
        "https://user@host/a", "https://höst/a", "my_app://a", "a\\b", "a\nb",
        String(repeating: "a/", count: 65),
    ])
    func `text that is no template is refused, and the message says which and why`(_ text: String) throws {
        let error = try #require(throws: LinkError.self) { try LinkTemplate(text) }
        #expect(error.code == .invalidTemplate)
        #expect(error.message.hasPrefix("The link template \"\(text)\" is invalid. "))
        #expect(error.message.hasSuffix("."))
    }

    @Test(arguments: [
        "", "/", "course/{id}", "/course/{id}/", "a?b={c}", "{course_ID2}", "a:b/c", "https://h:1/{x}?y={z}",
    ])
    func `text that is one keeps its spelling`(_ text: String) throws {
        #expect(try LinkTemplate(text).description == text)
    }

    @Test func `a template with a space is not told to encode it`() throws {
        let text = "new course"
        let error = try #require(throws: LinkError.self) { try LinkTemplate(text) }
        #expect(error.message.hasSuffix("Write it without '%', '#' and spaces."))
    }

    @Test func `a literal that is no template traps`() async {
        await #expect(processExitsWith: .failure) { _ = "course/{id" as LinkTemplate }
    }
}
