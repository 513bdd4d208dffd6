import Backplane
import BackplaneTesting
import CampusAccounts
import CampusFlows
import CampusTestTools
import Foundation
import LoginInterface
import Testing
import WebDriver

@testable import CampusAssembly

/// Tests that the event log of a browser session replays without a browser.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EventLogTests {
    @Test(.rule("B45")) func `the event log of a browser session replays on Campus's flows alone`() async throws {
        try await withTemporaryDirectory { directory in
            try await withCampusInBrowser(eventLogs: directory) { browser, root in
                try await browser.open("\(root)/course/abc123")
                try await browser.signIn()
                try await browser.waitFor("h1", text: "Analytical Engines")
                try await browser.open(root)
                try await browser.waitFor("#section-week", text: "Appointments this week")
                try await browser.click("a", text: "Write a message")
                try await browser.waitFor("h1", text: "New message")
                try await browser.type("The engine runs.", into: "#text")
                try await browser.click("button", text: "Choose recipients")
                try await browser.click("label", text: "Charles Babbage")
                try await browser.click("#sheet button", text: "Choose")
                try await browser.waitFor("#recipients", text: "Charles Babbage")
                try await browser.click("button", text: "Send")
                try await browser.waitFor("#section-messages", text: "The engine runs.")
            }
            let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
            #expect(!texts.contains { $0.contains("correct horse") })
            var replays: [EventReplay] = []
            for text in texts { replays.append(await replay(try EventLog(jsonLines: text))) }

            #expect(replays.count == 2, "a window for the course, and a window for the dashboard")
            #expect(!replays.contains { !$0.differences.isEmpty }, "\(replays)")
            // The picker's contract is private to the composer, so no
            // stand-in can replace the picker.
            // An enclosing board is written as "composer#3".
            let omitted = Set(
                replays.flatMap(\.omitted).flatMap { "\($0)".matches(of: #/"(\w+)#\d+"/#).map(\.1) }
            )
            #expect(omitted == ["session", "composer"], "\(replays)")
            #expect(replays.reduce(0) { $0 + $1.performed } > 10, "\(replays)")
        }
    }

    @MainActor private func replay(_ log: EventLog) -> EventReplay {
        let motherboard = Motherboard.onMain()
        motherboard.install(CampusFlows())
        motherboard.register(Session.id) { slot in
            slot.inner.install(SessionFlows())
            return EmptySession(slot: slot)
        }
        // The log contains no account, so the replay needs a substitute.
        let account = CannedAccount()
        return motherboard.replay(
            log,
            supplying: TypedBoardEvent<Login>.sent(account),
            TypedBoardEvent<Session>.activated(account)
        )
    }

    /// A session that does nothing by itself; the log tells what its boards did.
    private struct EmptySession: Board {
        let slot: Slot<Session>

        func activate(with account: any Account) {}
    }
}
