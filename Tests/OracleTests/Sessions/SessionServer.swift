import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

/// The network of one process, which checks each request against the rules before the world's
/// server responds.
struct SessionTransport: NetworkTransport {
    private enum Call {
        case read(Int, SessionWorld.Pair)
        case refresh(SessionWorld.Pair)
        case revoke(SessionWorld.Pair)

        var isRevocation: Bool { if case .revoke = self { true } else { false } }
    }

    struct ConnectionLost: Error {}

    let world: SessionWorld
    let process: Int

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let call = try departing(request, body)
        let isOver = Locked(false)
        @Sendable func end(_ hasFailed: Bool) {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { settle(call, hasFailed: hasFailed) }
        }
        // A session that gives a refresh up cancels it, and goes on before the request has noticed.
        return try await withTaskCancellationHandler {
            try await response(to: call, end)
        } onCancel: {
            if !world.shape.transportIsStubborn { end(true) }
        }
    }

    private func response(
        to call: Call,
        _ end: @Sendable (_ hasFailed: Bool) -> Void
    ) async throws -> (HTTPResponse, Data) {
        let hasFailed = Locked(true)
        defer { end(hasFailed.withLock { $0 }) }
        try await travel(isReliable: call.isRevocation)
        let (status, body) = answer(to: call)
        try await travel(isReliable: call.isRevocation)
        if !call.isRevocation, world.chance(4) { throw ConnectionLost() }
        if Task.isCancelled { throw CancellationError() }
        hasFailed.withLock { $0 = ![200, 400].contains(status) }
        receive(status, for: call)
        if !call.isRevocation { world.mayBeInterrupted(process) }
        world.note("\(process) receives \(status) for \(call)")
        return (HTTPResponse(status: .init(code: status)), Data(body.utf8))
    }

    private func travel(isReliable: Bool) async throws {
        await world.linger(in: process, canFail: !isReliable && world.shape.transportIsStubborn)
        if !world.shape.transportIsStubborn, Task.isCancelled { throw CancellationError() }
        if !isReliable, world.chance(3) { throw ConnectionLost() }
    }

    /// Parses the request and records its violations of the rules.
    private func departing(_ request: HTTPRequest, _ body: Data?) throws -> Call {
        let path = request.path ?? ""
        let token =
            request.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
            ?? body.flatMap { try? JSONDecoder().decode([String: String].self, from: $0)["refresh_token"] }
        guard let pair = SessionWorld.Pair(token: token ?? "") else { throw URLError(.badURL) }
        world.note("\(process) sends \(path) with \(token ?? "nothing")")
        if path.hasPrefix("/token/revoke") { return .revoke(pair) }
        world.state.withLock { state in
            let here = state.processes[process]
            guard here.isAlive, !state.isOver else { return }
            if here.user == nil {
                state.blame("N13: \(path) leaves process \(process) without a signed-in user")
            } else if here.user != pair.grant {
                state.blame("N12: \(path) leaves process \(process) with a token of another user")
            }
        }
        if path.hasPrefix("/token/refresh") {
            world.state.withLock { state in
                let here = state.processes[process]
                guard here.isAlive, !state.isOver else { return }
                if here.refreshing.contains(pair.grant), !world.shape.transportIsStubborn {
                    state.blame("N2: two refreshes in process \(process)")
                }
                state.processes[process].refreshing.insert(pair.grant)
                state.processes[process].knownRefusals.formUnion(here.receivedRefusals)
            }
            return .refresh(pair)
        }
        let call = Int(path.drop { $0 != "=" }.dropFirst()) ?? 0
        let asker = Int(path.split(separator: "/").last?.prefix { $0 != "?" } ?? "")
        world.state.withLock { state in
            let here = state.processes[process]
            guard here.isAlive, !state.isOver else { return }
            if asker != pair.grant { state.blame("N12: a request of \(asker ?? 0) carries a token of \(pair.grant)") }
            if here.knownRefusals.contains(pair) { state.blame("N14: a refused token leaves process \(process)") }
            if here.refreshing.contains(pair.grant), !world.shape.transportIsStubborn {
                state.blame("N2: a request leaves process \(process) during a refresh")
            }
            state.calls[call, default: (process, [])].departures.append(pair)
            if state.calls[call]?.departures.count == 3 { state.blame("N3: call \(call) is sent a third time") }
        }
        return .read(call, pair)
    }

    private func settle(_ call: Call, hasFailed: Bool) {
        guard case .refresh(let pair) = call else { return }
        world.state.withLock { state in
            state.processes[process].refreshing.remove(pair.grant)
            if hasFailed { state.processes[process].unrefreshed.insert(pair.grant) }
        }
    }

    private func answer(to call: Call) -> (status: Int, body: String) {
        world.state.withLock { state in
            if !call.isRevocation, state.generator.chance(4) { return (503, "") }
            switch call {
            case .read(_, let pair):
                let server = state.server[pair.grant] ?? .init()
                let isGood =
                    !server.isDead && !server.revoked.contains(pair.number) && !server.refused.contains(pair.number)
                return isGood ? (200, #"{"grant":\#(pair.grant)}"#) : (401, "")
            case .refresh(let pair):
                var server = state.server[pair.grant] ?? .init()
                guard !server.isDead, !server.revoked.contains(pair.number), pair.number >= server.latest - 1 else {
                    return (400, #"{"error":"invalid_grant"}"#)
                }
                server.latest = pair.number + 1
                // Some servers refuse new tokens because their clocks disagree.
                if state.generator.chance(10) { server.refused.insert(server.latest) }
                state.server[pair.grant] = server
                let name = "\(pair.grant).\(server.latest)"
                return (200, #"{"access_token":"access-\#(name)","refresh_token":"refresh-\#(name)","expires_in":600}"#)
            case .revoke(let pair):
                state.server[pair.grant, default: .init()].revoked.insert(pair.number)
                return (204, "")
            }
        }
    }

    private func receive(_ status: Int, for call: Call) {
        world.state.withLock { state in
            switch (call, status) {
            case (.read(_, let pair), 401): state.processes[process].receivedRefusals.insert(pair)
            case (.refresh(let pair), 200): state.processes[process].received[pair.grant] = pair.number + 1
            case (.refresh(let pair), 400): state.processes[process].refusedGrants.insert(pair.grant)
            default: break
            }
        }
    }
}
