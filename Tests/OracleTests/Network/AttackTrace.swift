import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

/// An app that uses every part of the client over a network with faults, as the seed decides.
actor AttackTrace {
    struct Answer: Codable, Sendable {
        let value: Int
    }

    struct Problem: Error, Decodable {
        let title: String
    }

    /// A record: the uses that the server has carried out.
    struct Note: Sendable {
        var marks: [Int]
        let tag: String
    }

    private let world: AttackWorld
    private let clock: ManualClock
    private let service: NonAuthenticatedNetworkController
    private let account: AuthenticatedNetworkController
    private let store: RecordStore<Int, Note>
    private var loaders: [Loader<Int, Note>] = []
    private var actions: [Int: IdempotentAction<Int, Int>] = [:]
    private let plant: AttackPlant?

    /// Runs the trace of `seed` on the calling thread.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - plant: A fault of the client, which the world must notice.
    ///   - only: The uses to play; all by default.
    /// - Returns: The log and the violations.
    static func run(seed: UInt64, _ plant: AttackPlant? = nil, only: Set<Int>? = nil) -> TraceRecord {
        var execution = SeededExecution(seed: seed)
        var generator = SeededGenerator(seed: ~seed)
        let shape = AttackWorld.Shape(
            middleware: AttackMiddleware.allCases[generator.below(AttackMiddleware.allCases.count)],
            timeout: .seconds(2 + generator.below(28)),
            hasWeakTags: generator.chance(40),
            faults: 1 + generator.below(4)
        )
        let world = AttackWorld(seed: seed ^ 0xA5, shape: shape)
        let (clock, trace) = (execution.clock, Locked<AttackTrace?>(nil))
        execution.start {
            // Here, because the controller of a user begins to work when it is made.
            guard let made = try? AttackTrace(world, clock, plant) else { return world.blame("no trace") }
            trace.withLock { $0 = made }
            await made.drive(seed: seed, only: only)
        }
        if !execution.drain() { world.blame("the trace does not end") }
        execution.start { await trace.withLock { $0 }?.close() }
        _ = execution.drain()
        world.judge()
        return world.state.withLock { $0.record }
    }

    private init(_ world: AttackWorld, _ clock: ManualClock, _ plant: AttackPlant?) throws {
        self.world = world
        self.clock = clock
        self.plant = plant
        var options = NetworkOptions()
        options.clock = clock
        options.timeout = world.shape.timeout
        options.errorType = Problem.self
        options.observe = { world.read($0) }
        world.shape.middleware.add(to: &options)
        plant?.addMiddleware(to: &options)
        let wire = AttackWire(world: world, clock: clock)
        let transport = AttackProbe(world: world, transport: plant?.transport(over: wire, clock) ?? wire)
        guard let url = URL(string: "https://\(AttackWorld.authority)/api") else { throw URLError(.badURL) }
        service = try NonAuthenticatedNetworkController(baseURL: url, transport: transport, options: options)
        account = AuthenticatedNetworkController(
            over: service,
            tokens: NetworkTokens(
                access: AccessToken(rawValue: "access-0"),
                refresh: RefreshToken(rawValue: "refresh-0"),
                expiresIn: .seconds(600)
            ),
            onEvent: { world.hear($0) },
            refresh: { NonAuthenticatedEndpoint(.post("token/refresh", body: .json(["refresh_token": $0]))) }
        )
        store = RecordStore(
            entityTag: world.draw { $0.chance(50) } ? { $0.tag } : nil,
            isRejection: plant?.isRejection,
            clock: clock
        )
    }

    // MARK: Actions of the app

    private func drive(seed: UInt64, only: Set<Int>?) async {
        let world = world
        for _ in 0..<2 {
            loaders.append(Loader(store: store) { _ in world.loadNote() })
        }
        world.onExpiry.withLock { $0 = { Task.detached { await self.forget() } } }
        for (id, loader) in loaders.enumerated() { loader.load(id, on: self) }
        for loader in loaders { await loader.settled() }
        for number in 0..<(2 + world.draw { $0.below(5) }) {
            var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
            let plan = AttackPlan(&generator)
            let use = world.add(plan, generator)
            if only?.contains(use) != false { start(use, plan) }
            switch world.draw({ $0.below(100) }) {
            case ..<12: world.state.withLock { $0.server.refuseToken() }
            case ..<17: signOut()
            case ..<19: world.state.withLock { $0.server.isRevoked = true }
            case ..<25: clock.advance(by: .seconds(world.draw { 1 + $0.below(900) }))
            case ..<30: for loader in loaders { loader.retryPending() }
            default: break
            }
            for _ in 0..<world.draw({ $0.below(20) }) { await SeededExecution.pause() }
        }
        // A mutation that can never be sent, after an attempt without an outcome, waits until then.
        await SeededExecution.letPass(.seconds(3 * 3600), on: clock)
        forget()
    }

    private func start(_ use: Int, _ plan: AttackPlan) {
        world.note("\(use) is a \(plan.kind) \(plan.method), key \(plan.key), cancelled \(plan.cancellation)")
        let (world, name) = (world, "\(plan.kind) \(use)")
        world.call(name, isOpen: true)
        let task = startTask(on: self) {
            switch plan.kind {
            case .plain, .keyed:
                await self.hear(use) { _ = try await self.request(use, plan, key: plan.key.text(of: use)) }
            case .mutation: await self.mutate(use, plan)
            case .action: await self.act(use, plan)
            }
            world.call(name, isOpen: false)
        }
        switch plan.cancellation {
        case .never: break
        case .beforehand: task.cancel()
        case .later:
            let clock = clock
            let time = Duration.milliseconds(world.draw { $0.below(4000) })
            Task.detached {
                await SeededExecution.letPass(time, on: clock)
                task.cancel()
            }
        }
    }

    private func forget() { store.reset() }

    private func signOut() {
        guard !world.state.withLock({ $0.isSignedOut }) else { return }
        world.note("signs out")
        let (world, account) = (world, account)
        store.reset()
        world.state.withLock { $0.isSignedOut = true }
        world.call("signing out", isOpen: true)
        _ = startTask(on: self, immediately: true) {
            try? await account.signOut { _ in NonAuthenticatedEndpoint(.post("token/revoke")) }
            world.call("signing out", isOpen: false)
        }
    }

    private func mutate(_ use: Int, _ plan: AttackPlan) async {
        let (world, label) = (world, "\(use)")
        let intent = Intent<Note>.edit { $0.marks.append(use) }
        let endpoint = AuthenticatedEndpoint<Answer>(use, plan)
        let mutation: Mutation<Note>
        if plan.isAuthenticated, plan.reading == .answer {
            mutation = Mutation(intent, label: label, send: account.sending(endpoint))
        } else {
            if ![.app, .hopping].contains(world.shape.middleware) {
                world.state.withLock { $0.uses[use].sends = 0 }
            }
            mutation = Mutation(intent, label: label) { key in
                world.state.withLock { state in
                    if let sends = state.uses[use].sends { state.uses[use].sends = sends + 1 }
                }
                _ = try await self.request(use, plan, key: key.description)
            }
        }
        await hear(use) { try await self.loaders[use % 2].mutate(mutation) }
    }

    private func act(_ use: Int, _ plan: AttackPlan) async {
        let action: IdempotentAction<Int, Int>
        if plan.reading == .answer, plan.isAuthenticated {
            action = IdempotentAction(isRejection: plant?.isRejection) { use, key in
                try await self.request(use, plan, key: "\(key)")
            }
        } else if plan.isAuthenticated {
            action = IdempotentAction(
                for: {
                    AuthenticatedIdempotentEndpoint(needingKey: AuthenticatedEndpoint<Answer>($0, plan).map(\.value))
                },
                through: account
            )
        } else {
            action = IdempotentAction(
                for: {
                    IdempotentEndpoint(
                        needingKey: NonAuthenticatedEndpoint<Answer>($0, plan).map(\.value)
                    )
                },
                through: service
            )
        }
        // The user tries again, as long as there is no success.
        for _ in 0..<6 {
            var isDone = false
            await hear(use) {
                _ = try await action(use)
                isDone = true
            }
            if isDone || Task.isCancelled { break }
        }
    }

    /// Makes the request of a use.
    private func request(_ use: Int, _ plan: AttackPlan, key: String?) async throws -> Int {
        if plan.isAuthenticated { return try await request(use, plan, key, through: account) }
        return try await request(use, plan, key, through: service)
    }

    private func request<Controller: AttackController>(
        _ use: Int,
        _ plan: AttackPlan,
        _ key: String?,
        through controller: Controller
    ) async throws -> Int {
        let keyed: (Endpoint<Controller.Access, Int>) -> Endpoint<Controller.Access, Int> = { endpoint in
            guard let key else { return endpoint }
            if plan.kind == .keyed { return IdempotentEndpoint(needingKey: endpoint).idempotencyKey(key) }
            return endpoint.idempotencyKey(key)
        }
        let endpoint: Endpoint<Controller.Access, Int> =
            switch plan.reading {
            case .answer: Endpoint<Controller.Access, Answer>(use, plan).map(\.value)
            case .nothing: Endpoint<Controller.Access, Void>(use, plan).map { use }
            case .dictionary: Endpoint<Controller.Access, [String: Int]>(use, plan).map { $0["value"] ?? -1 }
            }
        let value =
            plan.hasHandler
            ? try await controller.hear(keyed(endpoint), isCancelled: plan.cancellation == .beforehand)
            : try await controller.request(keyed(endpoint))
        if value != use { world.blame("N9: a caller gets the response to another request") }
        return value
    }

    /// Tells the world the outcome of a use.
    private func hear(_ use: Int, _ body: () async throws -> Void) async {
        do {
            try await body()
            world.hear(.done, about: use)
        } catch {
            world.read(error)
            switch error {
            case let error as NetworkError where error.isRefusal:
                world.hear(.refused("\(error.code)"), about: use)
            case let error as FeatureError where error.code == .rejected:
                world.hear(.refused("\(error.code)"), about: use)
            case let error as NetworkError: world.hear(.open("\(error.code)"), about: use)
            default: world.hear(.open("\(type(of: error))"), about: use)
            }
        }
    }

    /// Reads the failed mutations that nobody waits for.
    private func close() {
        for loader in loaders {
            for mutation in loader.pending where mutation.status == .failed {
                guard let use = mutation.label.flatMap({ Int($0) }) else { continue }
                if let error = mutation.error { world.read(error) }
                world.hear(.refused("\(mutation.status)"), about: use)
            }
        }
        loaders = []
        world.onExpiry.withLock { $0 = nil }
    }
}

/// A controller of either kind, with its function for a completion handler.
protocol AttackController: NetworkController {
    func request<Response: Sendable>(
        _ endpoint: Endpoint<Access, Response>,
        isolation: isolated any Actor,
        then handler: @escaping NetworkResultHandler<Response>
    ) -> Task<Void, Never>
}

extension NonAuthenticatedNetworkController: AttackController {}
extension AuthenticatedNetworkController: AttackController {}

extension AttackController {
    /// Waits for a response that a completion handler gets.
    fileprivate func hear(
        _ endpoint: Endpoint<Access, Int>,
        isCancelled: Bool,
        isolation: isolated any Actor = #isolation
    ) async throws -> Int {
        let calls = Locked<[Task<Void, Never>]>([])
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let call = request(endpoint, isolation: isolation) {
                    continuation.resume(with: $0.mapError { $0 as any Error })
                }
                if isCancelled || Task.isCancelled { call.cancel() }
                calls.withLock { $0.append(call) }
            }
        } onCancel: {
            for call in calls.withLock({ $0 }) { call.cancel() }
        }
    }
}

extension AttackPlan.Key {
    func text(of use: Int) -> String? {
        switch self {
        case .none: nil
        case .empty: ""
        case .fixed: "key-\(use)"
        }
    }
}

extension AttackPlan {
    /// The request of a use, whose body is secret.
    func request(_ use: Int) -> EndpointRequest {
        let body: EndpointBody =
            isBroken ? .json(["CANARY": Double.nan]) : .json(["CANARY-\(use)": "CANARY", "b": "CANARY"])
        var request = EndpointRequest(method: method, path: path, query: ["use": use])
        if method != .get && method != .delete { request.body = body }
        if isConditional && kind != .mutation { request.headers[.ifMatch] = "\"first\"" }
        if hasHost { request.headers[HTTPField.Name.hostField] = "evil.test" }
        return request
    }
}

extension Endpoint where Response: Decodable {
    fileprivate init(_ use: Int, _ plan: AttackPlan) { self = Self(plan.request(use)).ruled(by: plan) }
}

extension Endpoint where Response == Void {
    fileprivate init(_ use: Int, _ plan: AttackPlan) { self = Self(plan.request(use)).ruled(by: plan) }
}

extension Endpoint {
    fileprivate func ruled(by plan: AttackPlan) -> Self {
        guard plan.tokenRefusal != 401, let endpoint = self as? Endpoint<AuthenticatedNetworkController, Response>
        else {
            return self
        }
        return endpoint.authenticationFails(with: [.init(code: plan.tokenRefusal)]) as? Self ?? self
    }
}

extension AttackWorld {
    func loadNote() -> AttackTrace.Note {
        state.withLock { state in
            let marks = state.uses.indices.filter { state.server.executions[$0, default: 0] > 0 }
            let tag = "\"\(marks.count)\""
            return AttackTrace.Note(marks: marks, tag: shape.hasWeakTags ? "W/\(tag)" : tag)
        }
    }

    func hear(_ event: NetworkError) {
        read(event)
        note("the session reports \(event.code)")
        if event.code == .sessionExpired, !state.withLock({ $0.hasSaidInvalidGrant }) {
            blame("N26: the session has ended without the server's word about its tokens")
        }
        if event.code == .sessionExpired { onExpiry.withLock { $0 }?() }
    }
}
