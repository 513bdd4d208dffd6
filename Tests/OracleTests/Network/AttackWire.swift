import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

/// The first and the last thing that a request meets below the library: it tells the world.
struct AttackProbe: NetworkTransport {
    /// The number of the call that hands over a request.
    @TaskLocal static var call: Int?

    let world: AttackWorld
    let transport: any NetworkTransport

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let call = world.hand(request, body)
        do {
            let answer = try await Self.$call.withValue(call) {
                try await transport.send(request, body: body, responseLimit: responseLimit)
            }
            world.settle(request, .success(answer), call)
            return answer
        } catch {
            world.settle(request, .failure(error), call)
            throw error
        }
    }
}

/// A transport in memory that keeps the contract, on a network that does not keep anything.
struct AttackWire: NetworkTransport {
    /// The error of a lost connection, whose text is secret.
    struct ConnectionLost: Error, CustomStringConvertible {
        var description: String { "lost the connection for CANARY" }
    }

    let world: AttackWorld
    /// The virtual time of the trace, which only the trace advances, so that no test waits.
    let clock: ManualClock

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        // No fate, because the request does not leave.
        try Task.checkCancellation()
        world.depart(request)
        let fate = world.nextFate(of: request)
        try await travel()
        let reply = try await meet(fate, request, body, limit: responseLimit)
        try await travel()
        return reply.response
    }

    private func meet(
        _ fate: AttackFate,
        _ request: HTTPRequest,
        _ body: Data?,
        limit: Int
    ) async throws -> AttackServer.Reply {
        let call = AttackProbe.call
        let arrive: @Sendable (Bool) -> AttackServer.Reply = { isCopy in
            world.arrive(request, body, call, isCopy: isCopy) ?? .done(0)
        }
        switch fate {
        case .unreachable: throw URLError(.cannotConnectToHost)
        case .lostBefore: throw ConnectionLost()
        case .answered: return arrive(false)
        case .stopped(let status): return world.gatewayReply(status, to: request)
        case .lostAfter:
            _ = arrive(false)
            throw ConnectionLost()
        case .replaced(let status):
            // A gateway does not hide that a token was refused.
            let reply = arrive(false)
            return [401, 418].contains(reply.status) ? reply : world.gatewayReply(status, to: request)
        case .garbled(let text):
            let reply = arrive(false)
            return reply.status == 200 ? AttackServer.Reply(status: 200, body: text) : reply
        case .tooLarge:
            _ = arrive(false)
            throw NetworkError.responseTooLarge(limit: limit)
        case .silent:
            _ = arrive(false)
            try await clock.sleep(for: .seconds(86_400))
            throw ConnectionLost()
        case .duplicated(let time):
            let reply = arrive(false)
            later(time) { _ = arrive(true) }
            return reply
        case .late(let time): return try await wait { resume in later(time) { resume(arrive(false)) } }
        case .slow(let time):
            if let early = world.arrive(request, body, call, slowly: true) { return early }
            return try await wait { resume in later(time) { resume(world.finish(request)) } }
        }
    }

    /// Lets something happen in the network, whether or not somebody still waits for it.
    private func later(_ time: Duration, _ event: @escaping @Sendable () -> Void) {
        Task.detached {
            await SeededExecution.letPass(time, on: clock)
            event()
        }
    }

    /// Waits for a response, unless the caller is cancelled.
    private func wait(
        _ start: (_ resume: @escaping @Sendable (AttackServer.Reply) -> Void) -> Void
    ) async throws -> AttackServer.Reply {
        let (replies, continuation) = AsyncStream<AttackServer.Reply>.makeStream()
        start { reply in
            continuation.yield(reply)
            continuation.finish()
        }
        for await reply in replies { return reply }
        throw CancellationError()
    }

    private func travel() async throws {
        for _ in 0..<world.draw({ $0.below(3) }) { await SeededExecution.pause() }
        try Task.checkCancellation()
    }
}

extension AttackWorld {
    /// Checks a request that leaves the device.
    func depart(_ request: HTTPRequest) {
        state.withLock { state in
            guard state.isSignedOut else { return }
            let isOfUser = Self.use(of: request).map { state.uses[$0].plan.isAuthenticated }
            if isOfUser ?? (request.path?.contains("refresh") == true) {
                state.record.blame("N22: a request leaves after the sign-out")
            }
        }
    }

    /// Returns what happens to a request.
    func nextFate(of request: HTTPRequest) -> AttackFate {
        state.withLock { state in
            guard let use = Self.use(of: request) else { return state.nextFateOfTokens(request) }
            guard state.uses[use].handed <= shape.faults else { return .answered }
            let (plan, isRepeated) = (state.uses[use].plan, state.uses[use].handed > 1)
            let fate = AttackFate(&state.uses[use].generator, plan, isRepeated: isRepeated)
            state.record.log.append("\(use): \(fate)")
            return fate
        }
    }

    /// Returns the response of a gateway: with a redirect elsewhere, or a wish for when to return.
    func gatewayReply(_ status: Int, to request: HTTPRequest) -> AttackServer.Reply {
        // A gateway says nothing about a refresh token.
        let error = Self.use(of: request) == nil ? "invalid_client" : "CANARY"
        var reply = AttackServer.Reply(status: status, body: #"{"error":"\#(error)","CANARY":"CANARY"}"#)
        if (300..<400).contains(status) { reply.fields["Location"] = "https://evil.test/?CANARY&use=0" }
        let wishes = ["0", "1", "-1", "99999999999999999999", "Wed, 21 Oct 2099 07:28:00 GMT", "CANARY", ""]
        if draw({ $0.chance(30) }) { reply.fields["Retry-After"] = draw { wishes[$0.below(wishes.count)] } }
        if status == 401 { reply.fields["WWW-Authenticate"] = "Bearer realm=\"CANARY\"" }
        return reply
    }
}

extension AttackWorld.State {
    fileprivate mutating func nextFateOfTokens(_ request: HTTPRequest) -> AttackFate {
        guard request.path?.contains("refresh") == true else { return .answered }
        switch generator.below(100) {
        case ..<8: return .unreachable
        case ..<16: return .lostBefore
        case ..<24: return .lostAfter
        case ..<32: return .stopped([401, 429, 500, 503][generator.below(4)])
        case ..<36: return .garbled("{\"access_token\":{\"CANARY\":\"CANARY\"}}")
        default: return .answered
        }
    }
}
