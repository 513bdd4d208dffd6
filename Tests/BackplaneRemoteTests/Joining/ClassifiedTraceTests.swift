import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// R1 and A13 over random traces, with a server that refuses, fails and loses responses.
///
/// The server decides each request by chance. It knows the keys of the requests that it has carried
/// out, and carries out none of them twice. `BACKPLANE_SEED=…` sets the seed of the first trace.
/// `BACKPLANE_TRACES=20000` plays more traces.
@Suite(.timeLimit(.minutes(10)))
struct ClassifiedTraceTests {
    @Test(.rule("R1", "A13"))
    func `a refused change is never visible, other changes are visible once, and nothing is lost`() async throws {
        let run = RandomRun(count: 1_000, countVariable: "BACKPLANE_TRACES", seed: 1)
        for index in 0..<run.count {
            let seed = run.seed &+ UInt64(index)
            let failure = try await Trace(seed: seed).play()
            guard let failure else { continue }
            Issue.record("\(failure) Replay with BACKPLANE_SEED=\(seed) BACKPLANE_TRACES=1.")
            return
        }
    }
}

private struct Journal: Codable, Identifiable, Sendable {
    let id: Int
    var entries: [Int]
}

extension NonAuthenticatedEndpoint<Journal> {
    fileprivate static var journal: Self { Self(.get("journal")) }
    fileprivate static func add(_ entry: Int) -> Self { Self(.post("journal", body: .json(entry))) }
}

/// A server with one journal, which decides by chance.
private final class JournalServer: Sendable {
    private struct State {
        var generator: SeededGenerator
        var entries: [Int] = []
        /// The entries that were added, by their keys.
        var done: [String: Int] = [:]
        var refused: Set<Int> = []
        var isHealthy = false
    }

    /// The statuses that say nothing about the future.
    private static let undecided = [401, 408, 425, 429, 500, 502, 503]
    private static let refusals = [400, 403, 404, 409, 410, 412, 422]

    private let state: Locked<State>

    init(seed: UInt64) {
        state = Locked(State(generator: SeededGenerator(seed: seed)))
    }

    var entries: [Int] { state.withLock { $0.entries } }
    var refused: Set<Int> { state.withLock { $0.refused } }

    /// Answers every later request.
    func heal() {
        state.withLock { $0.isHealthy = true }
    }

    func load() -> StubbedResponse {
        state.withLock { state in
            if !state.isHealthy, state.generator.chance(20) { return .status(.serviceUnavailable) }
            return Self.response(state.entries)
        }
    }

    func add(_ request: StubbedRequest) throws -> StubbedResponse {
        let entry = try request.json(Int.self)
        let key = try #require(request.headerFields[.idempotencyKey])
        return state.withLock { state in
            if state.done[key] == nil {
                if !state.isHealthy, state.generator.chance(25) {
                    return .status(HTTPResponse.Status(code: Self.undecided[state.generator.below(7)]))
                }
                if state.generator.chance(25) {
                    state.refused.insert(entry)
                    return .status(HTTPResponse.Status(code: Self.refusals[state.generator.below(7)]))
                }
                // D27: After an attempt without an outcome, a status such as 403 settled nothing.
                state.refused.remove(entry)
                state.done[key] = entry
                state.entries.append(entry)
            }
            guard !state.isHealthy, state.generator.chance(30) else { return Self.response(state.entries) }
            // The change is made, and the response is lost or cannot be read.
            switch state.generator.below(3) {
            case 0: return .failure(URLError(.networkConnectionLost))
            case 1: return .status(.gatewayTimeout)
            default: return StubbedResponse(.ok, body: Data("<html>".utf8))
            }
        }
    }

    private static func response(_ entries: [Int]) -> StubbedResponse {
        .json(#"{"id":1,"entries":\#(entries)}"#)
    }
}

@MainActor private final class Trace {
    private var generator: SeededGenerator
    private let server: JournalServer
    private let clock = ManualClock()
    private let api = NetworkStub()
    private let service: NonAuthenticatedNetworkController
    private let journal: Loader<NoID, Journal>
    private var made: [Int] = []
    /// The entries that were made before the first value was shown.
    private var early: Set<Int> = []

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        let server = JournalServer(seed: seed &+ 1_000_000)
        self.server = server
        api.respond(to: .get, "journal") { _ in server.load() }
        api.respond(to: .post, "journal") { request in try server.add(request) }
        service = try api.service()
        let store = RecordStore<NoID, Journal>(clock: clock)
        journal = Loader(store: store, for: .journal, from: service)
    }

    /// Plays the trace, and returns a description of the first mistake.
    func play() async throws -> String? {
        // No delay takes time.
        let pump = Task { [clock] in
            while !Task.isCancelled {
                _ = clock.advanceToNextSleeper()
                await Task.yield()
            }
        }
        defer { pump.cancel() }
        journal.load()
        for _ in 0..<12 {
            try await step()
            if let mistake { return mistake }
        }
        server.heal()
        await waitUntil { !journal.pending.contains { $0.status != .failed } }
        repeat {
            journal.reload()
            await journal.settled()
        } while journal.state.error != nil
        if let mistake { return mistake }
        if journal.value?.entries != server.entries { return "At rest, another value is shown than the server has." }
        if Set(server.entries) != Set(made).subtracting(server.refused) { return "An entry is lost." }
        return nil
    }

    private func step() async throws {
        switch generator.below(4) {
        case 0, 1:
            let entry = made.count
            made.append(entry)
            if journal.value == nil { early.insert(entry) }
            let add = Mutation<Journal>(
                label: "\(entry)",
                { $0.entries.append(entry) },
                send: service.sending(.add(entry)),
                confirming: { $0 }
            )
            try journal.enqueue(add)
        case 2: journal.reload()
        default: for _ in 0..<generator.below(60) { await Task.yield() }
        }
    }

    private var mistake: String? {
        let failed = Set(journal.pending.filter { $0.status == .failed }.compactMap { $0.label.flatMap { Int($0) } })
        if !failed.isSubset(of: server.refused) { return "A change failed that the server has not refused." }
        guard let entries = journal.value?.entries else { return nil }
        // A20: The first value may contain a change without an outcome, which is shown on top.
        let pending = Set(journal.pending.compactMap { $0.label.flatMap { Int($0) } })
        let twice = Dictionary(grouping: entries, by: { $0 }).filter { $0.value.count > 1 }
        if !early.intersection(pending).isSuperset(of: twice.keys) { return "An entry is shown twice." }
        if !failed.isDisjoint(with: entries) { return "A refused entry is shown." }
        if !Set(made).subtracting(failed).isSubset(of: entries) { return "An entry is not shown." }
        return nil
    }
}
