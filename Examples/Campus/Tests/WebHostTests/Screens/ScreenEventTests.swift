import Screens
import Testing

@Suite struct ScreenEventTests {
    private let event = ScreenEvent(name: "save", fields: ["count": "3", "text": "secret", "agree": "on"])

    @Test func `a field is read as the requested type`() throws {
        #expect(try event.value("count") == 3)
        #expect(try event.value("text", as: String.self) == "secret")
        #expect(event["text"] == "secret")
        #expect(event["other"] == nil)
        #expect(event.isOn("agree") && !event.isOn("other"))
    }

    @Test func `a missing or malformed field throws an error with its name but not its value`() throws {
        let missing = #expect(throws: ScreenEventError.self) { try event.value("other", as: Int.self) }
        #expect(missing?.code == .missingField)
        let malformed = #expect(throws: ScreenEventError.self) { try event.value("text", as: Int.self) }
        #expect(malformed?.code == .malformedField)
        let description = try #require(malformed?.description)
        #expect(description.contains("'text'") && description.contains("'save'") && !description.contains("secret"))
    }

    @Test func `a description contains the field names but not their values`() {
        #expect("\(event)" == "save(agree, count, text)")
    }
}
