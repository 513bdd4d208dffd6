import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

/// A process that ends at any moment, and the next one.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxRestartTests {
    private let bench = OutboxBench()

    @Test(.rule("D3", "D25"), arguments: DeliveryState.allCases)
    func `the next process sends what needs no decision, with the same key and bytes`(
        state: DeliveryState
    ) async throws {
        let old = try bench.account(of: bench.open())
        let operation = try await old.write("hi", to: "a")
        try bench.execute(
            "UPDATE operation SET state = ?, attempts = 1, notBefore = ?, firstSentAt = ?",
            [state.rawValue, bench.milliseconds + 60_000, bench.milliseconds]
        )
        try bench.execute(
            "INSERT INTO lease VALUES ('ada', '\(Int32.max)/process/sender', \(bench.milliseconds + 9000))"
        )

        let new = try bench.account(of: bench.open())
        new.start()
        if state.isParked {
            try await new.letOthersRun()
            #expect(try await new.states == ["a: \(state)"])
            #expect(bench.received == [])
        } else {
            try await new.waitUntilDrained()
            #expect(bench.received == ["a: hi"])
            #expect(bench.keys == ["\(operation.id)"])
        }
    }

    @Test(.rule("D3", "D8"))
    func `if a process ends during an attempt, the order of its operations stays`() async throws {
        let old = try bench.account(of: bench.open())
        for number in 1...3 { try await old.write("\(number)", to: "a") }
        try await old.write("4", to: "b")
        try bench.execute(
            "UPDATE operation SET state = 'sending', attempts = 1, firstSentAt = ? WHERE isHead = 1",
            [bench.milliseconds]
        )
        let new = try bench.account(of: bench.open())
        new.start()
        try await new.waitUntilDrained()
        #expect(bench.received.filter { $0.hasPrefix("a") } == ["a: 1", "a: 2", "a: 3"])
        #expect(bench.received.filter { $0.hasPrefix("b") } == ["b: 4"])
    }

    @Test(.rule("D11"))
    func `a discarded operation shows whether the server may have carried it out`() async throws {
        bench.answer(.failure(Offline()))
        let ada = try bench.account(of: bench.open())
        let sent = try await ada.write("1", to: "a").id
        let unsent = try await ada.write("2", to: "a").id
        ada.start()
        try await ada.attempted(1)
        await ada.stop()
        #expect(try await ada.discard(sent).map(\.firstSentAt) == [Date(timeIntervalSince1970: 1_000_000)])
        #expect(try await ada.discard(unsent).map(\.firstSentAt) == [nil])
    }
}
