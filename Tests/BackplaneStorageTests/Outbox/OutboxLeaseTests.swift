import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// At any time, one sender sends the operations of an account.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxLeaseTests {
    private let bench = OutboxBench()

    /// Writes a lease of another process, and an operation that it was sending.
    private func leave(by process: String, for time: Duration) async throws -> AccountOutbox {
        let ada = try bench.account(of: bench.open())
        try await ada.write("hi", to: "a")
        try bench.execute(
            "UPDATE operation SET state = 'sending', attempts = 1, firstSentAt = ?",
            [bench.milliseconds]
        )
        let end = bench.milliseconds + Int64(time / .milliseconds(1))
        try bench.execute("INSERT INTO lease VALUES ('ada', ?, ?)", ["\(process)/process/sender", end])
        return ada
    }

    @Test(.rule("D8"))
    func `of two outboxes with one file, only one sends`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), after: latch)
        let (first, second) = (try bench.account(of: bench.open()), try bench.account(of: bench.open()))
        first.start()
        try await first.write("1", to: "a")
        await bench.server.requests(atLeast: 1)
        second.start()
        let operation = try await second.write("2", to: "b")
        await waitUntil { second.status.pending == 2 }

        // The first one looks again when it renews its lease, and finds the operation of the
        // second.
        await bench.clock.sleepers(atLeast: 2)
        bench.clock.advance(by: .seconds(5))
        await bench.server.requests(atLeast: 2)
        latch.open()
        try await first.waitUntilDrained()
        // The second one looks again when the lease would have ended.
        bench.clock.advance(by: .seconds(15))
        let isWithoutReply = try await operation.response() == nil
        #expect(isWithoutReply)
        await waitUntil { second.status.total == 0 }
        #expect(bench.received == ["a: 1", "b: 2"])
    }

    @Test(.rule("D8"))
    func `while a request is under way, the lease is renewed after half of its time`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), after: latch)
        let ada = try bench.account(of: bench.open())
        ada.start()
        try await ada.write("hi", to: "a")
        await bench.server.requests(atLeast: 1)
        let start = bench.milliseconds
        let ends = { try self.bench.texts("SELECT expiresAt FROM lease").compactMap(Int64.init) }
        #expect(try ends() == [start + 15_000])
        for _ in 1...2 {
            await bench.pass(.seconds(5))
        }
        while try ends() == [start + 15_000] { await Task.yield() }
        #expect(try ends() == [start + 25_000])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D38"))
    func `a stop also waits for an attempt that began before the lease was lost`() async throws {
        let latches = [AsyncLatch(), AsyncLatch()]
        let arrivals = Watched(0)
        bench.server.respond(to: .put, "notes/*") { _ in
            let number = arrivals.update { number in
                number += 1
                return number
            }
            // A transport that does not end at once when it is cancelled.
            if number <= 2 { await latches[number - 1].wait() }
            return .status(.noContent)
        }
        let (ada, _) = try await bench.sending("hi", to: "a")
        await bench.server.requests(atLeast: 1)
        await bench.clock.sleepers(atLeast: 1)
        // Another process has had the lease, and its time is over.
        let end = bench.milliseconds + 5000
        try bench.execute("UPDATE lease SET holder = '1/process/sender', expiresAt = ?", [end])
        bench.clock.advance(by: .seconds(5))
        await bench.server.requests(atLeast: 2)
        let hasStopped = Watched(false)
        let stop = Task {
            await ada.stop()
            hasStopped.update { $0 = true }
        }
        latches[1].open()
        try await ada.letOthersRun()
        #expect(!hasStopped.value)
        latches[0].open()
        await stop.value
    }

    @Test(.rule("D3", "D8"))
    func `when a process ends, its lease is free at once, and its attempt is repeated`() async throws {
        let ada = try await leave(by: "\(Int32.max)", for: .seconds(15))
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
        #expect(bench.clock.now.offset == .zero)
    }

    @Test(.rule("D3", "D8"))
    func `when an account is released, its lease is free at once for other outboxes`()
        async throws
    {
        let (gate, requests) = (AsyncLatch(), Watched(0))
        bench.server.respond(to: .put, "notes/*") { _ in
            let isFirst = requests.update { number in
                number += 1
                return number == 1
            }
            // A transport that does not end at once when it is cancelled.
            if isFirst { await gate.wait() }
            return .status(.noContent)
        }
        var ada: AccountOutbox? = try bench.account(of: bench.open())
        weak let released = ada
        _ = try await ada?.write("hi", to: "a")
        ada?.start()
        await bench.server.requests(atLeast: 1)
        ada = nil
        // Its start may still be under way.
        while released != nil { await Task.yield() }
        let next = try bench.account(of: bench.open())
        next.start()
        try await next.waitUntilDrained()
        #expect(bench.received == ["a: hi", "a: hi"])
        #expect(Set(bench.keys).count == 1)
        #expect(bench.clock.now.offset == .zero)
        gate.open()
    }

    @Test(.rule("D8"))
    func `the lease of a process that runs is respected until its time`() async throws {
        let ada = try await leave(by: "1", for: .seconds(10))
        ada.start()
        await bench.clock.sleepers(atLeast: 1)
        #expect(bench.received == [])
        #expect(try await ada.states == ["a: sending"])
        bench.clock.advance(by: .seconds(10))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D8", "D25"))
    func `if a lease seems to end much later, it is ignored, because the clock was set back`() async throws {
        let ada = try await leave(by: "1", for: .seconds(3600))
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D3", "D8"))
    func `a sender that has lost the lease does not change the operations of the next sender`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.badRequest), after: latch)
        let (ada, _) = try await bench.sending("hi", to: "a")
        await bench.server.requests(atLeast: 1)
        await bench.clock.sleepers(atLeast: 1)
        // Another process has taken over, as after a pause of this one, and sends the operation.
        let end = bench.milliseconds + 15_000
        try bench.execute("UPDATE lease SET holder = '1/process/sender', expiresAt = ?", [end])
        latch.open()
        try await ada.letOthersRun()
        #expect(try await ada.states == ["a: sending"])
        #expect(bench.events.value == [])
    }

    @Test(.rule("D8"))
    func `if an operation waits, two windows do not wake each other again and again`() async throws {
        bench.answer(.status(.serviceUnavailable))
        let outbox = try bench.open()
        let (first, second) = (try bench.account(of: outbox), try bench.account(of: outbox))
        first.start()
        second.start()
        try await first.write("hi", to: "a")
        try await first.attempted(1)
        await bench.clock.sleepers(atLeast: 2)
        let connection = try bench.connect()
        let before = try await connection.read { try Int.fetchOne($0, sql: "PRAGMA data_version") }
        try await first.letOthersRun()
        #expect(try await connection.read { try Int.fetchOne($0, sql: "PRAGMA data_version") } == before)
        #expect(try bench.texts("SELECT holder FROM lease") == [])
    }
}
