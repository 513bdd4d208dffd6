import Screens
import Testing

@Suite struct ScreenEventTests {
    private enum Size: String {
        case small
    }

    private let event = ScreenEvent(name: "save", fields: ["size": "small", "text": "secret", "agree": "on"])

    @Test func `a field is read as text, as a check box or as the requested type`() {
        #expect(event.fields["text"] == "secret")
        #expect(event.fields.isOn("agree"))
        #expect(event.fields.value("size", as: Size.self) == .small)
    }

    @Test func `a missing or malformed field has no value`() {
        #expect(event.fields["other"] == nil)
        #expect(!event.fields.isOn("other"))
        #expect(event.fields.value("other", as: Size.self) == nil)
        #expect(event.fields.value("text", as: Size.self) == nil)
    }

    @Test func `a description contains the field names but not their values`() {
        #expect("\(event)" == "save(agree, size, text)")
        #expect("\(event.fields)" == "agree, size, text")
    }
}
