import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

/// Sending in background time, and the end of it.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxDrainTests {
    private let bench = OutboxBench()
    private let latch = AsyncLatch()

    /// Returns an outbox with one operation whose response waits at the latch.
    private func outboxAtLatch() async throws -> AccountOutbox {
        bench.answer(.status(.noContent), after: latch)
        let ada = try bench.account(of: bench.open())
        try await ada.write("hi", to: "a")
        return ada
    }

    @Test(.rule("D18"))
    func `a drain ends when everything is confirmed, and releases the lease`() async throws {
        let ada = try await outboxAtLatch()
        latch.open()
        #expect(try await ada.drain(within: .seconds(Int64.max)).isDrained)
        #expect(bench.received == ["a: hi"])
        #expect(try await ada.states == [])
        #expect(try bench.texts("SELECT holder FROM lease") == [])
    }

    @Test(.rule("D18"), arguments: [false, true])
    func `after its time or a cancellation, a drain has no request and no lease`(
        isCancelled: Bool
    ) async throws {
        let ada = try await outboxAtLatch()
        let drain = Task { try await ada.drain(within: .seconds(20)) }
        await bench.server.requests(atLeast: 1)
        // The time of the drain, and the renewal of the lease.
        await bench.clock.sleepers(atLeast: 2)
        if isCancelled { drain.cancel() } else { bench.clock.advance(by: .seconds(20)) }
        #expect(try await drain.value.isDrained == false)
        #expect(try await ada.states == ["a: queued"])
        #expect(try bench.texts("SELECT holder FROM lease") == [])
        latch.open()
        try await ada.letOthersRun()
        #expect(bench.received == ["a: hi"])
        #expect(bench.events.value == [])
    }

    @Test(.rule("D18", "D38"), .timeLimit(.minutes(1)))
    func `a drain does not wait longer than its time for a file that another process has locked`() async throws {
        let ada = try await outboxAtLatch()
        let lock = try FileHolder(bench)
        let drain = Task { try await ada.drain(within: .milliseconds(200)) }
        await bench.pass(.milliseconds(200))
        #expect(try await drain.value.isDrained == false)
        #expect(bench.received == [])
        try lock.release()
        ada.start()
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D18", "D38"), .timeLimit(.minutes(1)))
    func `a drain ends its requests in time, even if their outcomes cannot be written`() async throws {
        let ada = try await outboxAtLatch()
        let drain = Task { try await ada.drain(within: .seconds(20)) }
        await bench.server.requests(atLeast: 1)
        // The time of the drain, and the renewal of the lease.
        await bench.clock.sleepers(atLeast: 2)
        let lock = try FileHolder(bench)
        bench.clock.advance(by: .seconds(20))
        #expect(try await drain.value.isDrained == false)
        try lock.release()
        #expect(try await ada.states == ["a: sending"])
        latch.open()
        ada.start()
        try await ada.waitUntilDrained()
        #expect(Set(bench.keys).count == 1)
    }

    @Test(.rule("D24", "D38"))
    func `two stops at the same time both wait for a turn that waits for the file`() async throws {
        let ada = try await outboxAtLatch()
        await ada.networkChanged(isReachable: false)
        ada.start()
        try await ada.letOthersRun()
        let lock = try FileHolder(bench)
        await ada.networkChanged(isReachable: true)
        // The next turn waits for the file, and so would every look at it.
        for _ in 0..<1000 { await Task.yield() }
        let hasStopped = Watched(0)
        let stops = (1...2).map { _ in
            Task {
                await ada.stop()
                hasStopped.update { $0 += 1 }
            }
        }
        for _ in 0..<1000 { await Task.yield() }
        #expect(hasStopped.value == 0)
        try lock.release()
        for stop in stops { await stop.value }
        let count = bench.received.count
        latch.open()
        try await ada.letOthersRun()
        #expect(bench.received.count == count)
    }

    @Test(.rule("D18"))
    func `a drain does not wait for a sign-in`() async throws {
        bench.answer(.status(.unauthorized))
        let ada = try bench.account(of: bench.open())
        try await ada.write("hi", to: "a")
        try await ada.write("hi", to: "a")
        let left = try await ada.drain(within: .seconds(20))
        #expect(left.counts == [.waitingForSignIn: 1, .queued: 1])
        #expect(!left.isDrained)
    }

    @Test(.rule("D18", "D20", "U4"))
    func `a drain does not wait for operations that need a parked one, directly or indirectly`() async throws {
        bench.answer(.status(.badRequest), to: "bad")
        let ada = try bench.account(of: bench.open())
        let bad = try await ada.write("1", to: "bad")
        let second = try await ada.write("2", to: "b", after: bad.id)
        try await ada.write("3", to: "c", after: second.id)
        let left = try await ada.drain(within: .seconds(20))
        #expect(left.counts == [.refused: 1, .queued: 2])
        #expect(left.isDrained)
        #expect(try await ada.states == ["bad: refused", "b: queued", "c: queued"])
        #expect(try await ada.waitUntilDrained().counts == [.refused: 1, .queued: 2])
    }

    @Test(.rule("D18"))
    func `a start during a drain continues after the drain`() async throws {
        let ada = try await outboxAtLatch()
        let drain = Task { try await ada.drain(within: .seconds(20)) }
        await bench.server.requests(atLeast: 1)
        ada.start()
        await bench.clock.sleepers(atLeast: 2)
        bench.clock.advance(by: .seconds(20))
        #expect(try await drain.value.isDrained == false)
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.keys.count == 2)
    }

    @Test(.rule("D20"))
    func `a wait for the end of all operations sees every change, and can be cancelled`() async throws {
        let ada = try await outboxAtLatch()
        let cancelled = Task { try await ada.waitUntilDrained() }
        let waiting = Task { try await ada.waitUntilDrained() }
        ada.start()
        await bench.server.requests(atLeast: 1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        latch.open()
        let left = try await waiting.value
        #expect(left.total == 0)
        #expect(left.isDrained)
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D20"))
    func `the status shows the number of operations in each state, and the age of the oldest`() async throws {
        let ada = try await outboxAtLatch()
        bench.answer(.status(.badRequest), to: "bad")
        bench.clock.advance(by: .seconds(60))
        try await ada.write("hi", to: "bad")
        ada.start()
        await waitUntil { ada.status.counts == [.refused: 1, .sending: 1] }
        #expect(ada.status.pending == 1)
        #expect(!ada.status.isDrained)
        #expect(ada.status.parked == 1)
        #expect(ada.status.oldest == Date(timeIntervalSince1970: 1_000_000))
        latch.open()
        await waitUntil { ada.status.counts == [.refused: 1] }
        #expect(ada.status.isDrained)
        #expect(ada.status.oldest == Date(timeIntervalSince1970: 1_000_060))
    }
}

/// Another process that holds the lock for writing.
private struct FileHolder {
    private let connection: DatabaseQueue

    @MainActor
    init(_ bench: OutboxBench) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(30)
        connection = try DatabaseQueue(path: bench.file.path, configuration: configuration)
        try connection.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws {
        try connection.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
}
