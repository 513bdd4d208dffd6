import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// No operation of one user is sent with the credentials of another.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxAccountTests {
    private let bench = OutboxBench()
    private let latch = AsyncLatch()

    /// Has notes answered when the latch opens, by a transport that does not end at once when it is
    /// cancelled.
    ///
    /// - Returns: A latch that opens when an attempt is cancelled.
    private func answerAlsoWhenCancelled() -> AsyncLatch {
        let (latch, isStopping) = (latch, AsyncLatch())
        bench.server.respond(to: .put, "notes/*") { _ in
            await withTaskCancellationHandler {
                await latch.wait()
            } onCancel: {
                isStopping.open()
            }
            return .status(.noContent)
        }
        return isStopping
    }

    @Test(.rule("D7"))
    func `each account sends only its own operations, with its own credentials`() async throws {
        let (_, ada, bob) = try bench.twoUsers()
        try await ada.write("from ada", to: "a")
        try await bob.write("from bob", to: "b")
        bob.start()
        try await bob.waitUntilDrained()
        try await bob.letOthersRun()
        #expect(bench.received == ["b: from bob"])
        #expect(bench.bearers == ["bob"])
        #expect(try await ada.states == ["a: queued"])
        #expect(try await bob.states == [])
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.bearers == ["bob", "ada"])
    }

    @Test(.rule("D24"))
    func `after another user's sign-in in the same controller, nothing is sent with that user's token`() async throws {
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        ada.start()
        try await ada.write("1", to: "a").response()
        try await controller.signIn(with: bench.tokens(of: "bob"))
        try await ada.write("2", to: "a")
        await bench.event("waits for sign-in")
        #expect(bench.bearers == ["ada"])

        try await controller.signIn(with: bench.tokens(of: "ada"))
        ada.resume()
        try await ada.waitUntilDrained()
        #expect(bench.bearers == ["ada", "ada"])
        #expect(bench.received == ["a: 1", "a: 2"])
    }

    @Test(.rule("D24"))
    func `if another user signs in during an attempt, the attempt is not repeated for that user`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        try await ada.write("1", to: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        try await controller.signIn(with: bench.tokens(of: "bob"))
        latch.open()
        await bench.event("waits for sign-in")
        try await ada.letOthersRun()
        #expect(bench.bearers == ["ada"])
        // The server may have carried it out.
        #expect(try await ada.operations().first?.firstSentAt != nil)
    }

    @Test(.rule("D24"))
    func `after a stop nothing is sent, and the operations stay`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let (ada, _) = try await bench.sending("1", to: "a")
        await bench.server.requests(atLeast: 1)
        await ada.stop()
        #expect(try await ada.states == ["a: queued"])
        latch.open()
        try await ada.write("2", to: "b")
        ada.resume()
        try await ada.letOthersRun()
        #expect(bench.received == ["a: 1"])
        #expect(try await ada.states == ["a: queued", "b: queued"])
        ada.start()
        try await ada.waitUntilDrained()
        #expect(Set(bench.received) == ["a: 1", "b: 2"])
    }

    @Test(.rule("D24"))
    func `a start has no effect if a later stop comes first`() async throws {
        let ada = try bench.account(of: bench.open())
        let (sender, signIn) = (ada.sender, ada.controller.signIn)
        // The part of a start that runs later.
        let order = sender.order()
        await ada.stop()
        await sender.start(for: ada, as: signIn, order: order)
        #expect(await !sender.canSend)
        await sender.start(for: ada, as: signIn, order: sender.order())
        #expect(await sender.canSend)
    }

    @Test(.rule("D24"))
    func `a start during a stop takes effect after its end`() async throws {
        let isStopping = answerAlsoWhenCancelled()
        let (ada, _) = try await bench.sending("1", to: "a")
        await bench.server.requests(atLeast: 1)
        let stop = Task { await ada.stop() }
        await isStopping.wait()
        let sender = ada.sender
        await sender.start(for: ada, as: ada.controller.signIn, order: sender.order())
        #expect(await !sender.canSend)
        try await ada.write("2", to: "b")
        try await ada.letOthersRun()
        #expect(bench.received == ["a: 1"])
        latch.open()
        await stop.value
        try await ada.waitUntilDrained()
        #expect(Set(bench.received) == ["a: 1", "b: 2"])
    }

    @Test(.rule("D24"))
    func `an outbox that was released sends nothing more`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let outbox = try bench.open()
        var ada: AccountOutbox? = try bench.account(of: outbox)
        try await ada?.write("1", to: "a")
        try await ada?.write("2", to: "a")
        ada?.start()
        await bench.server.requests(atLeast: 1)
        ada = nil
        let other = try bench.account(of: outbox)
        await waitUntil { other.status.counts == [.queued: 2] }
        latch.open()
        try await other.letOthersRun()
        #expect(bench.received == ["a: 1"])
    }

    @Test(.rule("D7"))
    func `a sign-out can keep the operations, or remove those of this user only`() async throws {
        let (_, ada, bob) = try bench.twoUsers()
        let operation = try await ada.write("1", to: "a")
        try await bob.write("2", to: "b")
        await ada.stop()
        #expect(try await bench.account(of: bench.open()).states == ["a: queued"])

        try await ada.discardAll()
        #expect(await code { try await operation.response() } == .noSuchOperation)
        #expect(try await ada.states == [])
        #expect(try await bob.states == ["b: queued"])
    }

    @Test(.rule("D7", "D24"))
    func `operations are discarded after their attempts have ended`() async throws {
        let isStopping = answerAlsoWhenCancelled()
        let (ada, operation) = try await bench.sending("1", to: "a")
        await bench.server.requests(atLeast: 1)
        let discarding = Task { try await ada.discardAll() }
        await isStopping.wait()
        #expect(try await ada.states == ["a: sending"])
        latch.open()
        try await discarding.value
        #expect(await code { try await operation.response() } == .noSuchOperation)
        #expect(try await ada.states == [])
    }

    @Test(.rule("D7", "D24"), arguments: [true, false])
    func `operations are discarded after the attempts of other objects of the user have ended`(
        isReleased: Bool
    ) async throws {
        let isStopping = answerAlsoWhenCancelled()
        let outbox = try bench.open()
        var other: AccountOutbox? = try bench.account(of: outbox)
        try await other?.write("1", to: "a")
        other?.start()
        await bench.server.requests(atLeast: 1)
        if isReleased {
            other = nil
            await isStopping.wait()
        }
        let ada = try bench.account(of: outbox)
        let discarding = Task { try await ada.discardAll() }
        try await ada.letOthersRun()
        #expect(try await ada.states == ["a: sending"])
        latch.open()
        try await discarding.value
        #expect(try await ada.states == [])
        // The window that is still there sends what is saved later.
        guard let other else { return }
        try await other.write("2", to: "b").response()
        #expect(bench.received == ["a: 1", "b: 2"])
    }

    @Test(.rule("D7", "D24"))
    func `after operations are discarded, they are not sent, even if the app starts sending meanwhile`() async throws {
        let isStopping = answerAlsoWhenCancelled()
        let ada = try bench.account(of: bench.open())
        for note in 1...12 { try await ada.write("x", to: "\(note)") }
        ada.start()
        await bench.server.requests(atLeast: 8)
        let discarding = Task { try await ada.discardAll() }
        await isStopping.wait()
        // As when the scene becomes active.
        ada.start()
        try await ada.letOthersRun()
        latch.open()
        try await discarding.value
        try await ada.letOthersRun()
        #expect(bench.server.requests.count == 8)
    }

    @Test(.rule("D7", "D24"))
    func `a sign-out without a stop sends nothing more, and the next sign-in sends the rest`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let (outbox, controller) = (try bench.open(), try bench.controller())
        let ada = try bench.account(of: outbox, through: controller)
        try await ada.write("1", to: "a")
        try await ada.write("2", to: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        try await controller.signOut()
        latch.open()
        await bench.event("waits for sign-in")
        try await ada.letOthersRun()
        #expect(bench.received == ["a: 1"])

        let again = try bench.account(of: outbox)
        again.start()
        try await again.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 1", "a: 2"])
        #expect(Set(bench.keys).count == 2)
    }

    @Test(.rule("D7"))
    func `when one of two sign-ins of a user ends, the other one sends the operations`() async throws {
        bench.answer(.status(.noContent), to: "a", after: latch)
        bench.server.respond(to: .put, "notes/b") { request in
            .status(request.bearer == "old" ? .unauthorized : .noContent)
        }
        let outbox = try bench.open()
        let old = try bench.account(of: outbox, through: bench.controller(of: "old"))
        let new = try bench.account(of: outbox, through: bench.controller(of: "new"))
        try await old.write("1", to: "a")
        old.start()
        await bench.server.requests(atLeast: 1)
        // The old sign-in has the lease, so it sends the next operation, too.
        new.start()
        try await new.write("2", to: "b")
        await bench.event("waits for sign-in")
        latch.open()
        try await new.waitUntilDrained()
        #expect(bench.bearers.contains("new"))
        #expect(try await new.states == [])
    }
}
