import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

/// Loads and writes of one value through a response cache, over a network with faults.
///
/// The value has a version, which only grows. A call that begins after another call has seen a
/// version must not get an older one.
struct CacheAttack: Sendable {
    private enum Call: CaseIterable {
        case load
        case reload
        case write
        case writeElsewhere
    }

    private struct Answer: Decodable {
        let value: Int
    }

    struct State: Sendable {
        var generator: SeededGenerator
        var version = 1
        /// The latest version that a call which has ended has seen.
        var seen = 0
        /// The versions that the responses of each call had.
        var received: [Int: Int] = [:]
        var garbled = 0
        var undecodable = 0
        var open = 0
        var record = TraceRecord()
    }

    private let state: Locked<State>
    private let clock: ManualClock
    private let service: NonAuthenticatedNetworkController

    /// Runs the trace of `seed` on the calling thread.
    static func run(seed: UInt64) -> TraceRecord {
        var execution = SeededExecution(seed: seed)
        let state = Locked(State(generator: SeededGenerator(seed: ~seed)))
        let clock = execution.clock
        execution.start {
            guard let attack = try? CacheAttack(state, clock) else { return }
            await attack.drive()
        }
        let hasEnded = execution.drain()
        state.withLock { state in
            if !hasEnded || state.open > 0 { state.record.blame("N17: a call never ends") }
            if state.undecodable > state.garbled { state.record.blame("N27: an undecodable response is kept") }
            if state.record.log.isEmpty { state.record.blame("no trace") }
        }
        return state.withLock { $0.record }
    }

    private init(_ state: Locked<State>, _ clock: ManualClock) throws {
        self.state = state
        self.clock = clock
        var options = NetworkOptions()
        options.clock = clock
        guard let url = URL(string: "https://\(AttackWorld.authority)") else { throw URLError(.badURL) }
        let wire = CacheWire(state: state, clock: clock)
        service = try NonAuthenticatedNetworkController(baseURL: url, transport: wire, options: options)
    }

    private func drive() async {
        for number in 0..<state.withLock({ 3 + $0.generator.below(8) }) {
            let call = state.withLock { Call.allCases[[0, 0, 0, 1, 1, 2, 3][$0.generator.below(7)]] }
            state.withLock { $0.open += 1 }
            let task = Task.detached {
                await CacheWire.$call.withValue(number) { await self.make(call, number) }
                state.withLock { $0.open -= 1 }
            }
            if state.withLock({ $0.generator.chance(10) }) {
                Task.detached {
                    await SeededExecution.letPass(.milliseconds(700), on: clock)
                    task.cancel()
                }
            }
            // Others write, too.
            if state.withLock({ $0.generator.chance(30) }) { state.withLock { $0.version += 1 } }
            for _ in 0..<state.withLock({ $0.generator.below(25) }) { await SeededExecution.pause() }
        }
    }

    private func make(_ call: Call, _ number: Int) async {
        let seen = state.withLock { state in
            state.record.log.append("\(number) begins: \(call), after \(state.seen) was seen")
            return state.seen
        }
        do {
            switch call {
            case .load, .reload:
                let age = call == .load ? Duration.seconds(600) : .zero
                let endpoint = NonAuthenticatedEndpoint<Answer>(.get("value")).cached(for: age)
                let version = try await service.request(endpoint).value
                state.withLock { $0.record.log.append("\(number) gets version \(version)") }
                if version < seen { blame("N27: a call gets an older version than an earlier call") }
            case .write: try await service.request(NonAuthenticatedEndpoint<Void>(.put("value")))
            case .writeElsewhere: try await service.request(NonAuthenticatedEndpoint<Void>(.put("value/else")))
            }
            end(number, call, "done")
        } catch {
            let code = (error as? NetworkError)?.code
            if code == .undecodableResponse { state.withLock { $0.undecodable += 1 } }
            end(number, call, "\(code.map(String.init(describing:)) ?? "\(error)")")
        }
    }

    private func blame(_ fault: String) { state.withLock { $0.record.blame(fault) } }

    private func end(_ number: Int, _ call: Call, _ what: String) {
        state.withLock { state in
            state.record.log.append("\(number) ends: \(what)")
            // It is not known in which order the server has responded to loads at the same time.
            guard call == .write || state.open == 1 else { return }
            state.seen = max(state.seen, state.received[number] ?? 0)
        }
    }
}

/// A transport in memory to the server of the value.
private struct CacheWire: NetworkTransport {
    /// The number of the call that a request belongs to.
    @TaskLocal static var call: Int?

    let state: Locked<CacheAttack.State>
    let clock: ManualClock

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        try Task.checkCancellation()
        try await travel()
        let (response, text, version) = state.withLock { state in
            let (response, text) = state.answer(request, Self.call)
            return (response, text, state.version)
        }
        try await travel()
        guard let response else { throw URLError(.networkConnectionLost) }
        state.withLock { state in
            if text == "[]" { state.garbled += 1 }
            if let call = Self.call, request.method == .get { state.received[call] = version }
        }
        return (response, Data(text.utf8))
    }

    private func travel() async throws {
        for _ in 0..<state.withLock({ $0.generator.below(6) }) { await SeededExecution.pause() }
        if state.withLock({ $0.generator.chance(30) }) {
            let time = Duration.milliseconds(state.withLock { 1 + $0.generator.below(2000) })
            await SeededExecution.letPass(time, on: clock)
        }
        try Task.checkCancellation()
    }
}

extension CacheAttack.State {
    /// Responds to a request, or returns no response for a lost one.
    fileprivate mutating func answer(_ request: HTTPRequest, _ call: Int?) -> (HTTPResponse?, String) {
        record.log.append("\(call.map(String.init) ?? "?"): \(request.method) arrives at version \(version)")
        if generator.chance(8) { return (nil, "") }
        guard request.method == .get else {
            if generator.chance(20) { return (HTTPResponse(status: .conflict), "") }
            if request.path == "/value" {
                version += 1
                // Even if its response is lost, the app must think that it was carried out.
                if let call { received[call] = version }
            }
            return generator.chance(20) ? (nil, "") : (HTTPResponse(status: .ok), "")
        }
        switch generator.below(100) {
        case ..<10: return (HTTPResponse(status: .gone), "")
        case ..<18: return (HTTPResponse(status: .ok), "[]")
        case ..<28:
            return (HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"]), #"{"value":\#(version)}"#)
        default: return (HTTPResponse(status: .ok), #"{"value":\#(version)}"#)
        }
    }
}
