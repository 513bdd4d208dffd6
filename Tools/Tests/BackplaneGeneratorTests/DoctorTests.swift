import Foundation
import Testing

@testable import BackplaneGenerator

@Suite(.rule("I11")) struct DoctorTests {
    private let log = """
        {"board":"inbox","kind":"activated","number":1,"time":0}
        {"board":"inbox","kind":"unhandledOutput","number":1,"payload":"secret","time":0.1}
        {"action":"Archive","kind":"unhandledAction","payload":"secret","time":0.2}
        {"board":"inbox","kind":"unhandledOutput","number":1,"payload":"secret","time":0.3}

        """

    @Test func `each mistake is named once, with its first line and a remedy`() throws {
        let doctor = try Doctor(log: log)
        #expect(
            doctor.text == """
                unhandledOutput  inbox  ×2, first in line 2: register a flow from the board
                unhandledAction  Archive  ×1, first in line 3: register a handler for the action
                """
        )
        #expect(try !encoded(doctor).contains("secret"))
    }

    @Test func `a log without mistakes, and one that was cut off, can be read`() throws {
        #expect(try Doctor(log: "").text == "No mistake was recorded.")
        #expect(try Doctor(log: log + #"{"board":"in"#).findings.count == 2)
        #expect(try Doctor(log: log.replacing("\n", with: "\r\n")).findings.count == 2)
    }

    @Test(arguments: ["no log", "{}", "[1]\n", "{\"kind\":\"output\"}\n", "\u{FEFF}{}"])
    func `another file is refused in one sentence`(text: String) {
        let error = #expect(throws: GeneratorError.self) { try Doctor(log: text) }
        #expect(error?.description.hasPrefix("Line 1 is no event") == true)
    }

    @Test func `a name cannot write to the terminal`() throws {
        let doctor = try Doctor(log: #"{"board":"a\u001b[2J\nb\u202e","kind":"noSuchBoard","time":1}"# + "\n")
        #expect(doctor.findings.map(\.board) == ["a[2Jb"])
    }

    @Test func `the mistakes are those that the documentation names`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/Backplane/Backplane.docc/SeeingAnApp.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let sentence = try #require(text.firstMatch(of: /In development, watch for ([^.]*)\./)?.1)
        #expect(sentence.matches(of: /`([a-zA-Z]+)`/).map { String($0.1) }.sorted() == Doctor.advice.keys.sorted())
    }
}
