import BackplaneConcurrency
import BackplaneConformance
import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if AsyncHTTPClient
    import BackplaneAsyncHTTPClient
#endif

/// The attack over real sockets, with the transports that the package ships.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AttackSocketTests {
    enum Kind: CaseIterable, Sendable {
        case urlSession
        #if AsyncHTTPClient
            case asyncHTTPClient
        #endif

        func make() -> any NetworkTransport {
            switch self {
            case .urlSession: URLSessionTransport()
            #if AsyncHTTPClient
                case .asyncHTTPClient: AsyncHTTPClientTransport()
            #endif
            }
        }
    }

    @Test(.rule("N23", "N34"), arguments: Kind.allCases, [false, true])
    func `no fault of a connection leads to a wrong report`(_ kind: Kind, isRetrying: Bool) async throws {
        let run = RandomRun(count: 200, countVariable: "BACKPLANE_SOCKETS")
        let attack = try AttackOverSocket(seed: run.seed, kind.make(), isRetrying: isRetrying)
        for _ in 0..<run.count { await attack.play() }
        attack.world.judge()
        let record = attack.world.state.withLock { $0.record }
        #expect(record.faults.isEmpty, "\(run):\n\(record.log.joined(separator: "\n"))")
    }
}

/// Uses of the client, one after the other, and a server that ends connections at any moment.
///
/// The connection of one use is that of the next one, as long as nobody closes it.
private final class AttackOverSocket: Sendable {
    let world: AttackWorld
    private let service: NonAuthenticatedNetworkController
    private let generator: Locked<SeededGenerator>
    /// The requests that wait for a response until their caller is cancelled.
    private let silent = Watched(0)
    private let server: ScriptedServer

    init(seed: UInt64, _ transport: any NetworkTransport, isRetrying: Bool) throws {
        let shape = AttackWorld.Shape(
            middleware: isRetrying ? .retry : .none,
            timeout: .seconds(10),
            hasWeakTags: false,
            faults: 3
        )
        let worlds = Locked<AttackWorld?>(nil)
        let silent = silent
        let server = try ScriptedServer { request, connection in
            guard let world = worlds.withLock({ $0 }), let arrived = HTTPRequest(request) else {
                connection.hangUp()
                return
            }
            await world.answer(arrived, request.body, on: connection) { silent.update { $0 += 1 } }
        }
        let world = AttackWorld(seed: seed, shape: shape, scheme: "http", authority: server.authority)
        worlds.withLock { $0 = world }
        self.world = world
        generator = Locked(SeededGenerator(seed: ~seed))
        var options = NetworkOptions()
        options.timeout = shape.timeout
        options.errorType = AttackTrace.Problem.self
        options.observe = { world.read($0) }
        if isRetrying {
            options.middlewares = [RetryMiddleware(backoff: .zero, reserve: 100_000)]
        }
        guard let url = URL(string: server.url) else { throw URLError(.badURL) }
        let probe = AttackProbe(world: world, transport: transport)
        service = try NonAuthenticatedNetworkController(baseURL: url, transport: probe, options: options)
        self.server = server
    }

    /// Plays one use.
    func play() async {
        let (plan, use) = generator.withLock { generator in
            var own = SeededGenerator(seed: generator.next())
            let plan = AttackPlan(overSocket: &own)
            return (plan, world.add(plan, own))
        }
        world.note("\(use) is a \(plan.kind) \(plan.method), key \(plan.key), cancelled \(plan.cancellation)")
        let latch = AsyncLatch()
        let call = Task {
            await latch.wait()
            // The user of an action tries again, as long as there is no success.
            var attempts = plan.kind == .action ? 6 : 1
            while attempts > 0, await !self.hear(use, plan) { attempts -= 1 }
        }
        if plan.cancellation == .beforehand { call.cancel() }
        latch.open()
        if plan.cancellation == .later {
            let arrived = Task { await self.silent.wait { $0 > 0 } }
            Task {
                await call.value
                arrived.cancel()
            }
            await arrived.value
            call.cancel()
        }
        await call.value
        silent.update { $0 = 0 }
    }

    private func hear(_ use: Int, _ plan: AttackPlan) async -> Bool {
        var endpoint = NonAuthenticatedEndpoint<AttackTrace.Answer>(plan.request(use))
        if let key = plan.key.text(of: use) { endpoint = endpoint.idempotencyKey(key) }
        do {
            let value = try await service.request(endpoint).value
            if value != use { world.blame("N9: a caller gets the response to another request") }
            world.hear(.done, about: use)
            return true
        } catch {
            world.read(error)
            let error = error as? NetworkError
            world.hear(
                error?.isRefusal == true ? .refused("rejected") : .open("\(error?.code.description ?? "")"),
                about: use
            )
            return Task.isCancelled
        }
    }
}

extension HTTPRequest {
    /// Creates a request as it has arrived, with its body.
    fileprivate init?(_ request: ScriptedServer.Request) {
        guard let method = HTTPRequest.Method(rawValue: request.method) else { return nil }
        self.init(
            method: method,
            scheme: "http",
            authority: request.headers["host"],
            path: request.target,
            headerFields: request.fields
        )
    }
}

extension AttackWorld {
    /// Responds to a request that has arrived over a socket.
    fileprivate func answer(
        _ request: HTTPRequest,
        _ body: Data,
        on connection: ScriptedServer.Connection,
        onSilence: () -> Void
    ) async {
        let use = Self.use(of: request)
        let isFirst = use.map { use in state.withLock { $0.uses[use].handed <= 1 } } ?? false
        let cancellation = use.map { use in state.withLock { $0.uses[use].plan.cancellation } } ?? .never
        let fate = cancellation == .later && isFirst ? .silent : nextFate(of: request)
        switch fate {
        case .lostBefore, .unreachable: connection.hangUp()
        case .lostAfter, .tooLarge, .late, .slow:
            _ = arriveOverSocket(request, body)
            connection.hangUp()
        case .silent where cancellation == .later:
            _ = arriveOverSocket(request, body)
            onSilence()
        case .silent:
            _ = arriveOverSocket(request, body)
            await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"value\"")
            connection.hangUp()
        case .stopped(let status): await connection.send(gatewayReply(Self.final(status), to: request).bytes)
        case .replaced(let status):
            _ = arriveOverSocket(request, body)
            await connection.send(gatewayReply(Self.final(status), to: request).bytes)
        case .garbled(let text):
            let reply = arriveOverSocket(request, body)
            await connection.send((reply.status == 200 ? AttackServer.Reply(status: 200, body: text) : reply).bytes)
        case .answered, .duplicated:
            await connection.send(arriveOverSocket(request, body).bytes)
            // The next request may find that its connection is closed.
            if draw({ $0.chance(20) }) { connection.hangUp() }
        }
    }

    private func arriveOverSocket(_ request: HTTPRequest, _ body: Data) -> AttackServer.Reply {
        let call = state.withLock { $0.lastCall }
        return arrive(request, body, call) ?? .done(0)
    }

    /// Returns a status that ends a response, and that permits a body.
    private static func final(_ status: Int) -> Int {
        (200..<600).contains(status) && ![204, 205, 304].contains(status) ? status : 503
    }
}

extension AttackServer.Reply {
    fileprivate var bytes: Data { ScriptedServer.Reply(status: status, headers: fields, body: Data(body.utf8)).bytes }
}

extension AttackPlan {
    /// Creates a plan for a public request, whose effects a socket can show.
    fileprivate init(overSocket generator: inout SeededGenerator) {
        repeat {
            self.init(&generator)
        } while isAuthenticated || kind == .mutation || isBroken || hasHost || path.encoded != "things"
    }
}
