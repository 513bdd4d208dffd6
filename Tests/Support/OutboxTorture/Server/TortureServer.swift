import BackplaneTesting
import Foundation

/// The server of the run: carries out operations, remembers keys, and makes faults.
///
/// It keeps the promise of rule D9: a known key gets the response that it got before, and a known
/// key with another body gets 422. The ablations break that promise.
final class TortureServer: Sendable {
    let state = Watched(State())
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
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
            (state.isFaulty, state.forced, state.hold) = (false, nil, nil)
        }
    }

    /// Responds to one request.
    func answer(_ request: ScriptedServer.Request, on connection: ScriptedServer.Connection) async {
        let form = try? JSONDecoder().decode([String: String].self, from: request.body)
        switch request.target {
        case "/operations": await perform(request, on: connection)
        case "/log-in":
            await connection.send(state.update { $0.logIn(form?["account"] ?? "") }.bytes)
        case "/refresh":
            await connection.send(state.update { $0.refresh(form?["token"] ?? "") }.bytes)
        default:
            let number = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            let isExecuted = state.value.executed.contains(number)
            await connection.send(ScriptedServer.Reply.json(#"{"isExecuted":\#(isExecuted)}"#).bytes)
        }
    }

    private func perform(_ request: ScriptedServer.Request, on connection: ScriptedServer.Connection) async {
        guard let operation = try? JSONDecoder().decode(TortureOperation.self, from: request.body) else {
            await connection.send(ScriptedServer.Reply.status(400).bytes)
            return
        }
        let seed = seed
        let (fault, attempt) = state.update { $0.nextFault(for: operation, seed: seed) }
        if fault == .closedBeforeExecution { return connection.hangUp() }
        guard let user = state.update({ $0.user(of: request.bearer, fault) }) else {
            await connection.send(ScriptedServer.Reply.status(401).bytes)
            return
        }
        if await isDropped(at: .beforeExecution) { return connection.hangUp() }
        if fault == .delayedExecution { await delay(operation, attempt) }
        let reply = fault?.reply ?? state.update { $0.execute(operation, request, for: user) }
        if await isDropped(at: .afterExecution) { return connection.hangUp() }
        if fault == .droppedReply { return connection.hangUp() }
        if fault == .delayedReply { await delay(operation, attempt) }
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
