import Testing

@testable import TerminalHost

struct ModelTextTests {
    private struct Course: Sendable {
        var title = "Engines"
        var officeHours: String? = "Tuesdays"
        var isDone = true
        var isNew = false
    }

    private struct Page: Sendable {
        var names: [String] = []
        var course = Course()
        var text = ""
    }

    private struct Cents: Sendable, CustomStringConvertible {
        let cents: Int
        var description: String { "€\(cents / 100).\(cents % 100)" }
    }

    @Test func `a value is one line, and a bare nil or flag has no line`() {
        #expect(ModelText.lines(of: "Ada") == ["Ada"])
        #expect(ModelText.lines(of: 7) == ["7"])
        #expect(ModelText.lines(of: Cents(cents: 1250)) == ["€12.50"])
        #expect(ModelText.lines(of: Int?.none as Any) == [])
        #expect(ModelText.lines(of: true) == [])
    }

    @Test func `a struct has a named line for each value, and a flag shows its name only if true`() {
        #expect(ModelText.lines(of: Course()) == ["title: Engines", "office hours: Tuesdays", "done"])
        #expect(
            ModelText.lines(of: Course(officeHours: nil, isDone: false, isNew: true)) == ["title: Engines", "new"]
        )
    }

    @Test func `a list has a line for each element, with its values but without their names`() {
        #expect(ModelText.lines(of: ["a", "b"]) == ["- a", "- b"])
        #expect(
            ModelText.lines(of: [Course(), Course(officeHours: nil, isDone: false)]) == [
                "- Engines · Tuesdays · done", "- Engines",
            ]
        )
        #expect(ModelText.lines(of: [Page(names: ["Ada", "Grace"])]) == ["- Ada, Grace · Engines · Tuesdays · done"])
        #expect(ModelText.lines(of: [String]()) == ["None"])
    }

    @Test func `a nested value is indented below its name`() {
        #expect(
            ModelText.lines(of: Page(names: ["Ada"])) == [
                "names:", "  - Ada", "course:", "  title: Engines", "  office hours: Tuesdays", "  done", "text:",
            ]
        )
        #expect(ModelText.lines(of: Page()).first == "names: none")
    }

    @Test func `control characters are replaced by spaces`() {
        #expect(ModelText.lines(of: "\u{1B}[2Jred\u{9B}31m\nnext\u{7F}") == [" [2Jred 31m next "])
        #expect(ModelText.lines(of: ["\u{7}"]) == ["-  "])
    }
}
