import BackplaneConformance
import BackplaneTesting
import Foundation
import TestSupport

/// The server of the run: carries out operations, remembers keys, and makes faults.
///
/// It keeps its part of the contract (D9): it looks for the key first, a known key gets the
/// response that it got before, a known key with another request gets 422, and a key in progress
/// 409, 425 or 503. The ablations break that promise.
final class TortureServer: Sendable {
    let state = Watched(State())
    private let seed: UInt64

    init(seed: UInt64, ablation: Options.Ablation?) {
        self.seed = seed
        state.update { $0.ablation = ablation }
    }

    /// Has all operations wait before or after their execution, from now on.
    func hold(_ stage: State.Hold.Stage) {
        state.update { state in
            state.lastHold += 1
            state.hold = State.Hold(id: state.lastHold, stage: stage)
            state.held = 0
        }
    }

    /// Has the waiting operations go on, or closes their connections instead.
    func release(dropping: Bool = false) {
        state.update { state in
            if dropping, let id = state.hold?.id { state.droppedHolds.insert(id) }
            state.hold = nil
        }
    }

    /// Ends all faults.
    func heal() {
        state.update { state in
            (state.isFaulty, state.forced, state.hold, state.refreshFails) = (false, nil, nil, false)
        }
    }

    /// Responds to one request.
    func answer(_ request: ScriptedServer.Request, on connection: ScriptedServer.Connection) async {
        if let operation = try? JSONDecoder().decode(TortureOperation.self, from: request.body) {
            return await perform(operation, request, on: connection)
        }
        await connection.send(reply(to: request).bytes)
    }

    /// Returns the response to a request without an operation; these have no faults of their own.
    private func reply(to request: ScriptedServer.Request) -> ScriptedServer.Reply {
        let form = try? JSONDecoder().decode([String: String].self, from: request.body)
        let last = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
        return state.update { state in
            switch request.target.split(separator: "/").first {
            case "sign-in": return state.signIn(form?["account"] ?? "")
            case "refresh": return state.refresh(form?["token"] ?? "")
            case "discarded":
                state.history.discarded(last)
                return .status(204)
            default: break
            }
            guard state.user(of: request.bearer) != nil else { return .status(401) }
            if let record = request.record { return state.records.load(record) }
            let isExecuted = state.executed.contains(last)
            if isExecuted { state.history.findings.insert(last) } else { state.history.absences.insert(last) }
            return .json(#"{"isExecuted":\#(isExecuted)}"#)
        }
    }

    private func perform(
        _ operation: TortureOperation,
        _ request: ScriptedServer.Request,
        on connection: ScriptedServer.Connection
    ) async {
        let seed = seed
        let (index, fault, attempt) = state.update { $0.arrived(operation, request, seed: seed) }
        if fault == .closedBeforeExecution { return connection.hangUp() }
        let user = state.update { state in
            let user = state.user(of: request.bearer, fault)
            state.history.change(index) { $0.user = user }
            return user
        }
        guard user != nil else { return await send(.status(401), to: index, on: connection) }
        if let reply = fault?.reply { return await send(reply, to: index, on: connection) }
        if let known = state.update({ $0.begin(operation, request) }) {
            return await send(known, to: index, on: connection)
        }
        if await isDropped(at: .beforeExecution) {
            state.update { $0.end(request) }
            return connection.hangUp()
        }
        if fault == .delayedExecution { await delay(operation, attempt) }
        let isEditedByOthers = SeededGenerator.chance(30, seed: seed ^ UInt64(operation.number * 37 + attempt))
        let reply = state.update { state in
            state.execute(
                index,
                operation,
                request,
                isEditedByOthers: state.isFaulty && isEditedByOthers,
                isLost: fault == .droppedReply
            )
        }
        if await isDropped(at: .afterExecution) || fault == .droppedReply { return connection.hangUp() }
        if fault == .delayedReply { await delay(operation, attempt) }
        await send(reply, to: index, on: connection)
    }

    private func send(
        _ reply: ScriptedServer.Reply,
        to index: Int,
        on connection: ScriptedServer.Connection
    ) async {
        state.update { state in state.history.change(index) { $0.status = reply.status } }
        await connection.send(reply.bytes)
    }

    /// Waits if the driver holds operations at this stage.
    ///
    /// - Returns: Whether the connection is to be closed.
    private func isDropped(at stage: State.Hold.Stage) async -> Bool {
        let id: Int? = state.update { state in
            guard let hold = state.hold, hold.stage == stage else { return nil }
            state.held += 1
            return hold.id
        }
        guard let id else { return false }
        await state.wait { $0.hold?.id != id }
        return state.value.droppedHolds.contains(id)
    }

    /// Lets other requests overtake this one.
    private func delay(_ operation: TortureOperation, _ attempt: Int) async {
        var generator = SeededGenerator(seed: seed ^ UInt64(operation.number * 31 + attempt))
        for _ in 0..<generator.below(5000) { await Task.yield() }
    }
}

extension SeededGenerator {
    /// Returns `true` in `percent` of 100 cases, always the same for a seed.
    fileprivate static func chance(_ percent: Int, seed: UInt64) -> Bool {
        var generator = SeededGenerator(seed: seed)
        return generator.chance(percent)
    }
}
