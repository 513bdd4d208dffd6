import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import CampusAPI
import CampusAccounts
import CampusModels
import CampusTestTools
import CourseModels
import Foundation
import Screens
import Testing

/// Tests of ticks on a course page whose requests the real API refuses, cannot serve, or does not
/// answer.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ServerAnswerTests {
    private let changes = "/courses/*/todos/*"
    private let request = "PUT /courses/abc123/todos/abc123-2"

    /// Runs `body` with the page, and an API that accepts faults.
    private func withCourse(_ body: (CourseWindow, TestAPI) async throws -> Void) async throws {
        try await withAPI {
            $0.faults = Faults.none
        } _: { api in
            try await body(try await CourseWindow.open(api), api)
        }
    }

    /// Waits until the tick of the second to-do has got no answer that settles it, and checks that
    /// the page keeps it.
    private func expectKept(in window: CourseWindow, sourceLocation: SourceLocation = #_sourceLocation) async {
        await window.clock.sleepers(atLeast: 1)
        #expect(window.marks == "x x? -", sourceLocation: sourceLocation)
        #expect(window.delay?.canTryNow == true, sourceLocation: sourceLocation)
        #expect(window.reasons.isEmpty, sourceLocation: sourceLocation)
        #expect(window.pending.map(\.error?.code) == [.unconfirmed], sourceLocation: sourceLocation)
    }

    /// Checks that the page and the server have the tick, and that it was made once.
    private func expectArrival(in window: CourseWindow, sourceLocation: SourceLocation = #_sourceLocation) async throws
    {
        #expect(window.marks == "x x -", sourceLocation: sourceLocation)
        #expect(window.reasons.isEmpty, sourceLocation: sourceLocation)
        #expect(try await window.revisions() == [1, 1, 0], sourceLocation: sourceLocation)
    }

    @Test(.rule("A4", "R1")) func `a tick that gets 422 is undone, and the page shows the server's reason`()
        async throws
    {
        try await withCourse { window, api in
            try await api.inject("invalid=\(changes):1")
            window.tick("abc123-2")
            #expect(window.marks == "x x? -")
            await window.refusal()
            #expect(window.marks == "x - -")
            #expect(window.reasons == ["The term is over, so this cannot be changed any more."])
            #expect(window.delay == nil)
            #expect(window.pending.map(\.error?.code) == [.rejected])
            #expect(window.pending.first?.error?.status == 422)
            #expect(try await window.revisions() == [1, 0, 0])
            let log = await api.log()
            #expect(log.count { $0.contains(request) } == 1, "it is not sent again")
        }
    }

    @Test(.rule("A5", "R1")) func `a tick that gets 503 is kept, and arrives when the server can serve it`()
        async throws
    {
        try await withCourse { window, api in
            try await api.inject("fail=\(changes)")
            window.tick("abc123-2")
            for attempt in 1...3 {
                await expectKept(in: window)
                #expect(window.pending.first?.error?.status == 503)
                #expect(try await window.revisions() == [1, 0, 0])
                if attempt < 3 { window.clock.advance(by: .seconds(30)) }
            }
            try await api.inject("")
            await window.resend()
            try await expectArrival(in: window)
            let log = await api.log()
            #expect(log.count { $0.contains("\(request) 503") } == 3)
            #expect(log.count { $0.contains("\(request) 200") } == 1)
        }
    }

    @Test(.rule("A5", "D9")) func `a tick whose response is lost is kept, and the server makes it once`() async throws {
        try await withCourse { window, api in
            try await api.inject("drop=\(changes):1")
            window.tick("abc123-2")
            await expectKept(in: window)
            #expect(try await window.revisions() == [1, 1, 0], "the server has made it")
            await window.resend()
            try await expectArrival(in: window)
            let log = await api.log()
            #expect(log.count { $0.contains(request) } == 2)
        }
    }

    @Test(.rule("A5", "D9", "R1")) func `a tick that times out is kept, and the server makes it once`() async throws {
        let (network, server) = (ManualClock(), ManualClock())
        try await withAPI {
            $0.faults = Faults.none
            $0.clock = server
        } _: { api in
            let window = try await CourseWindow.open(api, on: network)
            try await api.inject("slow=\(changes):60s")
            window.tick("abc123-2")
            // The request has reached the server, and it is the only one under way.
            await server.sleepers(atLeast: 1)
            await network.sleepers(atLeast: 1)
            network.advance(by: .seconds(10))
            await expectKept(in: window)
            #expect((window.pending.first?.error?.cause as? ExplainedError)?.cause.code == .timedOut)
            // Now the server makes the tick, and has no client left that could learn of it.
            try await api.inject("")
            server.advance(by: .seconds(60))
            while try await window.revisions() == [1, 0, 0], !Task.isCancelled { await Task.yield() }
            await window.resend()
            try await expectArrival(in: window)
            let log = await api.log()
            #expect(log.count { $0.contains("\(request) 200") } == 1)
        }
    }

    @Test(.rule("A5", "R1")) func `a tick without a connection is kept, and arrives when the server is back`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            var opened: (window: CourseWindow, url: URL)?
            try await withAPI(in: directory) { api in
                opened = (window: try await CourseWindow.open(api), url: api.url)
            }
            let (window, url) = try #require(opened)
            window.tick("abc123-2")
            await expectKept(in: window)
            try await withAPI(in: directory) {
                $0.port = url.port ?? 0
            } _: { _ in
                #expect(try await window.revisions() == [1, 0, 0])
                await window.resend()
                try await expectArrival(in: window)
            }
        }
    }

    @Test(.rule("A5", "R1")) func `a tick whose response is not JSON is confirmed and made once`()
        async throws
    {
        try await withCourse { window, api in
            try await api.inject("garble=\(changes):1")
            window.tick("abc123-2")
            await waitUntil { window.pending.isEmpty && window.page?.isBusy == false }
            try await expectArrival(in: window)
        }
    }

    @Test(.rule("M13")) func `a part whose response is not JSON fails, and loads at the next try`()
        async throws
    {
        try await withAPI {
            $0.faults = try? Faults("garble=/courses/*/tutor:1")
        } _: { api in
            let window = try await CourseWindow.open(api)
            let page = try #require(window.page)
            #expect(page.tutor.state.problem == "The campus server could not answer.")
            #expect(page.schedule.value?.isEmpty == false)
            page.retryAll()
            await waitUntil { !page.isBusy }
            #expect(window.page?.tutor.value?.name == "Charles Babbage")
        }
    }

    @Test(.rule("A4", "A7")) func `a tick that gets 409 is undone, and the page shows the revision of the server`()
        async throws
    {
        try await withCourse { window, api in
            for isDone in [true, false] { try await window.changeElsewhere("abc123-2", isDone: isDone) }
            #expect(window.page?.todos.todos.value?.map(\.rev) == [1, 0, 0])
            try await api.inject("reject=\(changes):1")
            window.tick("abc123-2")
            await window.refusal()
            #expect(window.marks == "x - -")
            #expect(window.page?.todos.todos.value?.map(\.rev) == [1, 2, 0])
            #expect(window.reasons == ["The campus is closed for changes right now."])
            #expect(try await window.revisions() == [1, 2, 0])
        }
    }

    @Test(.rule("R8")) func `a reason of 100 kB is not shown on the page or in a description`() async throws {
        try await withCourse { window, api in
            try await api.inject("ramble=\(changes):1")
            window.tick("abc123-2")
            await window.refusal()
            #expect(window.marks == "x - -")
            #expect(window.reasons == ["The campus server does not accept this. Change it, then try again."])
            let error = try #require(window.pending.first?.error)
            #expect(error.status == 422)
            var dumped = ""
            dump(error, to: &dumped)
            for text in ["\(error)", String(reflecting: error), dumped] {
                #expect(!text.contains("term is over"))
                #expect(text.utf8.count < 10_000)
            }
        }
    }

    @Test(.rule("D9")) func `a key that the server has never seen is carried out once`() async throws {
        try await withAPI {
            $0.faults = Faults.none
        } _: { api in
            let account = try await api.anotherDevice()
            func tick(_ key: IdempotencyKey) async throws -> Todo {
                try await account.change("abc123-2", of: "abc123", to: TodoChange(isDone: true), key: key)
            }
            let unseen = IdempotencyKey()
            for _ in 1...3 { #expect(try await tick(unseen).rev == 1) }
            // The server does not keep the key of a change that it has refused.
            try await api.inject("invalid=\(changes):1")
            let refused = IdempotencyKey()
            await #expect(throws: ExplainedError.self) { try await tick(refused) }
            for _ in 1...3 { #expect(try await tick(refused).rev == 2) }
        }
    }
}
