import BackplaneConcurrency
import BackplaneNetworking
import Foundation
import TestSupport

/// The vault of a device as seen by one process: slow, and faulty in some traces.
struct SessionVault: TokenVault {
    struct Failure: Error {}

    let world: SessionWorld
    let process: Int
    let device: Int
    let refreshLock: SessionLock
    let writeLock: SessionLock

    func load() async throws -> NetworkTokens? {
        try await reach()
        let data = world.state.withLock { state in
            state.processes[process].hasLooked = true
            return state.stored[device]
        }
        world.note("\(process) loaded \(data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")")
        world.mayBeInterrupted(process)
        try await reach()
        return try data.map { try JSONDecoder().decode(NetworkTokens.self, from: $0) }
    }

    func save(_ tokens: NetworkTokens) async throws {
        try await reach()
        let data = try JSONEncoder().encode(tokens)
        world.state.withLock { state in
            if let fault = state.fault(ofSaving: tokens, over: state.stored[device], on: device),
                !world.shape.vaultsFail
            {
                state.blame("\(fault), by process \(process)")
            }
            state.stored[device] = data
        }
        world.note("\(process) saved \(String(decoding: data, as: UTF8.self))")
        world.mayBeInterrupted(process)
        try await reach()
    }

    func clear() async throws {
        try await reach()
        world.state.withLock { state in
            if !world.shape.vaultsFail, let stored = state.pair(in: state.stored[device]),
                !state.leaving[device, default: []].contains(stored.grant),
                !state.processes[process].refusedGrants.contains(stored.grant)
            {
                state.blame("N12: process \(process) clears the tokens of \(stored.grant) without a reason")
            }
            state.stored[device] = nil
        }
        world.note("\(process) cleared the vault")
        try await reach()
    }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        try await reach()
        await refreshLock.hold(for: process, body)
    }

    func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await writeLock.hold(for: process, body)
    }

    private func reach() async throws {
        await world.linger(in: process, canFail: world.shape.vaultsFail)
        if world.shape.vaultsFail, world.chance(6) { throw Failure() }
    }
}

extension SessionWorld.State {
    func pair(in data: Data?) -> SessionWorld.Pair? {
        guard let data, let tokens = try? JSONDecoder().decode(NetworkTokens.self, from: data) else { return nil }
        return SessionWorld.Pair(token: tokens.access.rawValue)
    }

    /// Returns the fault in saving tokens over other tokens in a device's vault.
    ///
    /// A new user may replace any tokens.
    fileprivate func fault(ofSaving tokens: NetworkTokens, over stored: Data?, on device: Int) -> String? {
        guard let old = pair(in: stored), let new = SessionWorld.Pair(token: tokens.access.rawValue) else { return nil }
        if old.grant == new.grant {
            return old.number > new.number ? "N7: pair \(old.number) of \(old.grant) is replaced by \(new.number)" : nil
        }
        let isFirst = new.number == 0
        guard !isFirst, !leaving[device, default: []].contains(old.grant) else { return nil }
        return "N12: tokens of \(new.grant) replace the tokens of \(old.grant), who has not signed out"
    }
}

/// A lock between the processes of a device that is released when its holder dies.
final class SessionLock: Sendable {
    private struct State {
        var holder: (process: Int, turn: Int)?
        var lastTurn = 0
        var waiting: [(process: Int, continuation: CheckedContinuation<Int, Never>)] = []

        /// Passes the lock to the next waiter and returns that waiter.
        mutating func pass() -> (CheckedContinuation<Int, Never>, turn: Int)? {
            holder = nil
            guard !waiting.isEmpty else { return nil }
            let next = waiting.removeFirst()
            lastTurn += 1
            holder = (next.process, lastTurn)
            return (next.continuation, lastTurn)
        }
    }

    private let state = Locked(State())
    private let world: SessionWorld

    init(in world: SessionWorld) {
        self.world = world
    }

    func hold(for process: Int, _ body: () async -> Void) async {
        let turn = await withCheckedContinuation { continuation in
            let next = state.withLock { state in
                state.waiting.append((process, continuation))
                return state.holder == nil ? state.pass() : nil
            }
            if let next { next.0.resume(returning: next.turn) }
        }
        world.note("\(process) holds a lock")
        if world.isAlive(process) { await body() }
        world.note("\(process) returns a lock")
        let next = state.withLock { state in state.holder?.turn == turn ? state.pass() : nil }
        if let next { next.0.resume(returning: next.turn) }
    }

    /// Releases the lock if a dead process holds it.
    func release(by process: Int) {
        let next = state.withLock { state in state.holder?.process == process ? state.pass() : nil }
        if let next { next.0.resume(returning: next.turn) }
    }
}
