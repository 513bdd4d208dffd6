import BackplaneConcurrency
import BackplaneNetworking
import Foundation

/// The vault of a device as one process has it: slow, and in some traces faulty.
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
        world.mayBeInterrupted(process)
        try await reach()
        return try data.map { try JSONDecoder().decode(NetworkTokens.self, from: $0) }
    }

    func save(_ tokens: NetworkTokens) async throws {
        try await reach()
        let data = try JSONEncoder().encode(tokens)
        world.state.withLock { $0.stored[device] = data }
        world.note("\(process) saved \(String(decoding: data, as: UTF8.self))")
        world.mayBeInterrupted(process)
        try await reach()
    }

    func clear() async throws {
        try await reach()
        world.state.withLock { $0.stored[device] = nil }
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

/// A lock between the processes of a device, which becomes free when its holder dies.
final class SessionLock: Sendable {
    private struct State {
        var holder: (process: Int, turn: Int)?
        var lastTurn = 0
        var waiting: [(process: Int, continuation: CheckedContinuation<Int, Never>)] = []

        /// Hands the lock to who is next, and returns them.
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
        if world.isAlive(process) { await body() }
        let next = state.withLock { state in state.holder?.turn == turn ? state.pass() : nil }
        if let next { next.0.resume(returning: next.turn) }
    }

    /// Frees what a process holds that has died.
    func release(by process: Int) {
        let next = state.withLock { state in state.holder?.process == process ? state.pass() : nil }
        if let next { next.0.resume(returning: next.turn) }
    }
}
