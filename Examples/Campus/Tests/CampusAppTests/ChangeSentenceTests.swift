import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusModels
import CampusTestTools
import ComposerModels
import CourseModels
import DashboardModels
import Foundation
import Screens
import Testing

@testable import CampusAssembly

/// Tests that the app says the same about a change in memory and about one in a file.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ChangeSentenceTests {
    struct Case: Sendable {
        let faults: String
        let state: ChangeState
        /// The choices, which are the same in memory and in a file in these cases.
        let actions: Set<ChangeState.Action>
    }

    nonisolated private static let cases = [
        Case(
            faults: "fail=PATH",
            state: .unconfirmed(problem: "The campus server could not answer.", next: nil),
            actions: [.tryNow]
        ),
        Case(
            faults: "drop=PATH",
            state: .unconfirmed(problem: "The campus server could not answer.", next: nil),
            actions: [.tryNow]
        ),
        Case(
            faults: "invalid=PATH",
            state: .refused(reason: "The term is over, so this cannot be changed any more."),
            actions: [.edit, .sendAgain, .discard]
        ),
        Case(faults: "hold=PATH", state: .sending, actions: []),
    ]

    private func withRun(_ isDurable: Bool, _ body: (CampusRun, TestAPI) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            try await withAPI(in: directory) {
                $0.faults = Faults.none
            } _: { api in
                let file = isDurable ? directory.appending(path: "outbox.sqlite") : nil
                try await body(try await CampusRun(api.url, MemoryTokenVault(), outbox: file), api)
            }
        }
    }

    @Test(.rule("U4"), arguments: cases, [true, false])
    func `the dashboard says why a message is not confirmed, since when, and what the user can do`(
        expected: Case,
        isDurable: Bool
    ) async throws {
        try await withRun(isDurable) { run, api in
            let dashboard: DashboardModel = try await run.page()
            let composer = try await run.compose("Hello")
            try await api.inject(expected.faults.replacing("PATH", with: "/messages"))
            let start = Timestamp(Date())
            composer.send()
            await waitUntil { dashboard.changes.first?.state.sentence == expected.state.sentence }
            let change = try #require(dashboard.changes.first)
            #expect(change.text == "Hello" && change.kind == "To Charles Babbage")
            #expect(change.since >= start && change.since <= Timestamp(Date()))
            #expect(change.actions == expected.actions)
            #expect((change.state.nextAttempt != nil) == (isDurable && change.actions == [.tryNow]))
            try await api.inject("")
            if change.actions == [.tryNow] { dashboard.tryNow() }
            if change.state.needsDecision { dashboard.sendAgain(change.id) }
            await waitUntil { dashboard.changes.isEmpty && !dashboard.isBusy }
            #expect(try await api.anotherDevice().messages(before: nil).messages.map(\.text) == ["Hello"])
        }
    }

    @Test(.rule("U4"), arguments: cases, [true, false])
    func `a course says the same about a tick, and sends it now if asked`(
        expected: Case,
        isDurable: Bool
    ) async throws {
        try await withRun(isDurable) { run, api in
            let course: CourseModel = try await run.open("/course/abc123")
            func pending() -> ChangeState? { course.todos.todos.pending.first.map { ChangeState($0) } }
            try await api.inject(expected.faults.replacing("PATH", with: "/courses/*/todos/*"))
            course.todos.tick("abc123-2")
            await waitUntil { pending()?.sentence == expected.state.sentence }
            #expect(pending()?.needsDecision == expected.state.needsDecision)
            try await api.inject("")
            guard expected.actions == [.tryNow] else { return }
            course.todos.resend()
            await waitUntil { pending() == nil }
            #expect(try await api.anotherDevice().todos(of: "abc123").map(\.rev) == [1, 1, 0])
        }
    }
}
