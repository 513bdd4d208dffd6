import SwiftUI
import Testing

/// Tests of the composer with its sheet and its question.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ComposeTests {
    private let person = Person()
    private var host: ShapeHost { person.host }

    /// Opens the composer, chooses a recipient in the sheet, and writes a text.
    private func compose(_ text: String) async {
        await person.taps(Person.compose)
        await person.taps("Choose recipients")
        await person.taps("Charles Babbage tutor")
        #expect(host.presentations == ["sheet"])
        await person.taps("Choose")
        await person.waits { $0.presentations.isEmpty && $0.isEnabled("Send") == true }
        #expect(host.texts.contains("Charles Babbage"))
        host.type(text, into: "Text")
    }

    @Test func `a message that is sent is on the dashboard`() async {
        await compose("About the engine")
        await person.taps("Send")
        await person.sees("About the engine")
        await person.sees("Welcome back, Ada Lovelace.")
        await person.misses("It is being sent.")
        #expect(host.problems.isEmpty)
        #expect(person.events.suffix(2) == ["composer.finish started", "composer.finish finished"])
    }

    @Test func `a message without a recipient shows what is missing`() async {
        await person.taps(Person.compose)
        await person.waits { $0.isEnabled("Send") == true }
        host.type("About the engine", into: "Text")
        await person.taps("Send")
        await person.sees("Choose at least one recipient.")
    }

    @Test func `a message that is cancelled can be discarded`() async {
        await compose("About the engine")
        await person.taps("Cancel")
        await person.sees("Keep the message as a draft?")
        #expect(host.presentations == ["alert"])
        await person.taps("Keep editing")
        await person.waits { $0.presentations.isEmpty && $0.isEnabled("Cancel") == true }
        await person.taps("Cancel")
        await person.taps("Discard")
        await person.sees("Welcome back, Ada Lovelace.")
        await person.taps(Person.compose)
        await person.sees("No recipients yet")
        #expect(host.problems.isEmpty)
    }

    @Test func `a message that is saved is the next draft`() async {
        await compose("About the engine")
        await person.taps("Cancel")
        await person.taps("Save")
        await person.taps(Person.compose)
        await person.sees("16 of 2000 characters")
        #expect(host.texts.contains("Charles Babbage"))
    }

    @Test func `if the user closes the sheet, the recipients do not change`() async {
        await person.taps(Person.compose)
        await person.taps("Choose recipients")
        await person.taps("Charles Babbage tutor")
        host.closePresentation()
        await person.waits { $0.presentations.isEmpty && $0.isEnabled("Choose recipients") == true }
        #expect(host.texts.contains("No recipients yet"))
        #expect(host.problems.isEmpty)
    }
}
