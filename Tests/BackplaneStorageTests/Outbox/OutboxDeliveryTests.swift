import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// How operations get from the file to the server.
@MainActor
@Suite struct OutboxDeliveryTests {
    private let bench = OutboxBench()

    @Test(.rule("D1", "D2"))
    func `an operation is saved before it is sent, and leaves the file after the server has confirmed it`() async throws
    {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a", label: "Note A")
        #expect(try await ada.operations(limit: 9).map(\.label) == ["Note A"])
        #expect(bench.received == [])

        ada.start()
        try await operation.response()
        #expect(bench.received == ["a: hi"])
        #expect(bench.keys == ["\(operation.id)"])
        #expect(bench.server.requests.first?.bearer == "ada")
        try await ada.waitUntilDrained()
        #expect(try await ada.operations(limit: 9).isEmpty)
    }

    @Test(.rule("D3", "D12"))
    func `a process that ended in mid-attempt sends the same bytes with the same key again`() async throws {
        let gate = AsyncLatch()
        bench.server.respond(to: .put, "notes/*", with: .status(.noContent), after: gate)
        let first = try bench.account(of: try bench.open())
        first.start()
        let operation = try await first.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        await bench.server.requests(atLeast: 1)

        // The first process is gone, as far as the file tells: its sender does not answer any more.
        let second = try bench.account(of: try bench.open())
        #expect(try await second.operations(limit: 9).map(\.state) == [.sending])
        await first.stop()
        gate.open()
        second.start()
        try await second.waitUntilDrained()
        #expect(bench.received == ["a: hi", "a: hi"])
        #expect(Set(bench.keys) == ["\(operation.id)"])
    }
}
