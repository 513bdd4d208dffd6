import BackplaneConcurrency
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

/// Users that sign in and out on two devices, with requests at any moment, as the seed decides.
struct SessionTrace: Sendable {
    private struct App: Sendable {
        let process: Int
        let device: Int
        let account: AuthenticatedNetworkController
    }

    private struct Answer: Decodable {
        let grant: Int
    }

    private struct Calls {
        var lastID = 0
        /// The calls that have not returned, with their names and processes.
        var open: [Int: (name: String, process: Int)] = [:]
        var requests: [Task<Void, Never>] = []
    }

    private let world: SessionWorld
    private let clock: ManualClock
    private let calls = Locked(Calls())
    private let locks: [(refresh: SessionLock, write: SessionLock)]

    /// Runs the trace of `seed` on the calling thread.
    static func run(seed: UInt64) -> TraceRecord {
        var execution = SeededExecution(seed: seed)
        var generator = SeededGenerator(seed: ~seed)
        let shape = SessionWorld.Shape(vaultsFail: generator.chance(25), transportIsStubborn: generator.chance(25))
        let world = SessionWorld(seed: seed ^ 0xA5, shape: shape, clock: execution.clock)
        let trace = SessionTrace(world: world, clock: execution.clock)
        execution.start { await trace.drive() }
        if !execution.drain() { world.blame("the trace does not end") }
        trace.check()
        execution.start { world.end() }
        _ = execution.drain()
        return world.state.withLock { $0.record }
    }

    private init(world: SessionWorld, clock: ManualClock) {
        self.world = world
        self.clock = clock
        locks = (0..<2).map { _ in (SessionLock(in: world), SessionLock(in: world)) }
    }

    // MARK: Actions of the apps

    private func drive() async {
        var apps: [App] = []
        apps.append(launchSignedIn(on: 0))
        if world.chance(60) { apps.append(launch(on: 0)) }
        if world.chance(20) { apps.append(launchSignedIn(on: 1)) }
        for _ in 0..<world.draw({ Int.random(in: 4...14, using: &$0) }) {
            let index = world.draw { Int.random(in: apps.indices, using: &$0) }
            if !world.isAlive(apps[index].process) { apps[index] = launch(on: apps[index].device) }
            let app = apps[index]
            check(app)
            switch world.draw({ Int.random(in: 0..<100, using: &$0) }) {
            case ..<45:
                for _ in 0..<world.draw({ Int.random(in: 1...4, using: &$0) }) { request(from: app) }
            case ..<60: refuseAccess(of: app)
            case ..<63:
                world.state.withLock { state in
                    if let user = state.processes[app.process].user { state.server[user]?.isDead = true }
                }
            case ..<75: signOut(app)
            case ..<82: signIn(app)
            case ..<86: cancelRequest()
            case ..<90:
                world.jump(by: .seconds(world.draw { Int.random(in: 1...600, using: &$0) }))
            case ..<93: kill(app)
            default: break
            }
            for _ in 0..<world.draw({ Int.random(in: 0...12, using: &$0) }) { await SeededExecution.pause() }
        }
    }

    /// Launches an app with a newly signed-in user.
    ///
    /// On the second device, the app has restored the tokens without the vault.
    private func launchSignedIn(on device: Int) -> App {
        let pair = world.signIn()
        if device == 1 { return makeApp(on: device, user: pair.grant, tokens: Self.restored(Self.tokens(pair))) }
        let app = makeApp(on: device, user: pair.grant, tokens: Self.tokens(pair))
        call("saving of the first tokens", in: app) { _ in
            if world.user(of: app.process) == pair.grant { try? await app.account.signIn(with: Self.tokens(pair)) }
        }
        return app
    }

    /// Launches an app with the user from the vault, or with a new login if the vault is empty.
    private func launch(on device: Int) -> App {
        let tokens = world.state.withLock { $0.stored[device].flatMap(Self.tokens(in:)) }
        guard let tokens, let pair = SessionWorld.Pair(token: tokens.access.rawValue) else {
            return launchSignedIn(on: device)
        }
        return makeApp(on: device, user: pair.grant, tokens: tokens)
    }

    private func makeApp(on device: Int, user: Int, tokens: NetworkTokens) -> App {
        let process = world.launch(on: device, user: user)
        world.note("\(process) is launched on \(device) for \(user)")
        var options = NetworkOptions()
        options.clock = clock
        let transport = SessionTransport(world: world, process: process)
        guard let url = URL(string: "https://example.com"),
            let service = try? NonAuthenticatedNetworkController(baseURL: url, transport: transport, options: options)
        else { fatalError("The base URL must be valid.") }
        let vault = SessionVault(
            world: world,
            process: process,
            device: device,
            refreshLock: locks[device].refresh,
            writeLock: locks[device].write
        )
        let account = AuthenticatedNetworkController(
            over: service,
            tokens: tokens,
            vault: vault,
            onEvent: { [world] event in
                world.note("\(process) reports \(event.code)")
                if event.code == .sessionExpired { world.expired(process) }
                if event.code == .revocationFailed { world.forgetRevocations(by: process) }
            },
            refresh: { NonAuthenticatedEndpoint(.post("token/refresh", body: .json(["refresh_token": $0]))) }
        )
        let app = App(process: process, device: device, account: account)
        world.state.withLock { $0.interruptions[process] = { interrupt(app) } }
        return app
    }

    private static func tokens(_ pair: SessionWorld.Pair) -> NetworkTokens {
        let name = "\(pair.grant).\(pair.number)"
        return NetworkTokens(
            access: AccessToken(rawValue: "access-\(name)"),
            refresh: RefreshToken(rawValue: "refresh-\(name)"),
            expiresIn: .seconds(600)
        )
    }

    private func interrupt(_ app: App) {
        switch world.draw({ Int.random(in: 0..<100, using: &$0) }) {
        case ..<65: signOut(app)
        case ..<80: signIn(app)
        default: kill(app)
        }
    }

    private func kill(_ app: App) {
        world.kill(app.process)
        world.note("\(app.process) is killed")
        for lock in [locks[app.device].refresh, locks[app.device].write] { lock.release(by: app.process) }
    }

    /// Returns the tokens as an app restores them from a place outside of the vault.
    private static func restored(_ tokens: NetworkTokens) -> NetworkTokens {
        (try? JSONEncoder().encode(tokens)).flatMap(Self.tokens(in:)) ?? tokens
    }

    private static func tokens(in data: Data) -> NetworkTokens? {
        try? JSONDecoder().decode(NetworkTokens.self, from: data)
    }

    private func request(from app: App) {
        let task = call("request", in: app) { id in
            let asker = world.user(of: app.process)
            let begun = world.steadyTime
            let endpoint = AuthenticatedEndpoint<Answer>(.get("me/\(asker ?? 0)", query: ["call": "\(id)"]))
            let result: Result<Answer, any Error>
            do { result = .success(try await app.account.request(endpoint)) } catch { result = .failure(error) }
            guard world.isAlive(app.process) else { return }
            let time = world.steadyTime - begun
            if time > .seconds(31) { world.blame("N17: a request took \(time)") }
            if case .success(let answer) = result {
                if asker == nil { world.blame("N13: a request without a user gets a response") }
                if answer.grant != asker { world.blame("N12: \(asker ?? 0) receives a response for \(answer.grant)") }
                if world.user(of: app.process) != asker { world.blame("N9: a response reaches a signed-out user") }
            }
            if case .failure(let error as NetworkError) = result { check(error, of: id, asker, in: app) }
            world.state.withLock { state in
                // The session must know the last refusal when the request returns.
                guard let last = state.calls[id]?.departures.last else { return }
                if state.processes[app.process].receivedRefusals.contains(last) {
                    if case .failure(let error as NetworkError) = result, error.status?.code == 401 {
                        state.processes[app.process].knownRefusals.insert(last)
                    }
                }
            }
        }
        calls.withLock { $0.requests.append(task) }
    }

    private func cancelRequest() {
        let requests = calls.withLock { $0.requests }
        world.draw { requests.randomElement(using: &$0) }?.cancel()
    }

    private func check(_ error: NetworkError, of id: Int, _ asker: Int?, in app: App) {
        let hasLeft = world.state.withLock { $0.calls[id] != nil }
        let here = world.state.withLock { $0.processes[app.process] }
        let left = asker.flatMap { here.left[$0] } ?? .seconds(Int.max)
        if error.code == .timedOut, !hasLeft, world.steadyTime - .seconds(5) > left {
            world.blame("N9: a request waits for a token until its timeout although its user has signed out")
        }
        // A clock jump can make a refresh time out before it is sent.
        let hasJumped = world.state.withLock { $0.jumps > .zero }
        if error.code == .refreshUnavailable, !hasJumped, let asker, !here.unrefreshed.contains(asker),
            !here.refreshing.contains(asker)
        {
            world.blame("N6: a request of \(asker) fails although its refresh has not failed")
        }
    }

    private func signOut(_ app: App) {
        let isRevoking = world.chance(60)
        call("signing out", in: app) { _ in
            world.note("\(app.process) signs out")
            let user = world.user(of: app.process)
            world.setUser(nil, of: app.process, revoking: isRevoking)
            do {
                if isRevoking {
                    try await app.account.signOut { tokens in
                        NonAuthenticatedEndpoint(.post("token/revoke", body: .json(["refresh_token": tokens.refresh])))
                    }
                } else {
                    try await app.account.signOut()
                }
                world.completeEndings(of: user, in: app.process)
            } catch {
                world.note("\(app.process) could not sign out completely: \(error)")
                world.forgetRevocations(by: app.process)
            }
        }
    }

    private func signIn(_ app: App) {
        call("signing in", in: app) { _ in
            let pair = world.signIn()
            world.note("\(app.process) signs in as \(pair.grant)")
            world.setUser(pair.grant, of: app.process)
            try? await app.account.signIn(with: Self.tokens(pair))
        }
    }

    private func refuseAccess(of app: App) {
        world.state.withLock { state in
            guard let user = state.processes[app.process].user, let latest = state.server[user]?.latest else { return }
            state.server[user]?.refused.insert(latest)
        }
    }

    @discardableResult
    private func call(_ name: String, in app: App, _ body: @escaping @Sendable (Int) async -> Void) -> Task<Void, Never>
    {
        let id = calls.withLock { calls in
            calls.lastID += 1
            calls.open[calls.lastID] = (name, app.process)
            return calls.lastID
        }
        return Task.detached {
            if world.isAlive(app.process) { await body(id) }
            calls.withLock { $0.open[id] = nil }
        }
    }

    // MARK: Invariants

    private func check(_ app: App) {
        let user = world.user(of: app.process)
        if app.account.isSignedIn != (user != nil) { world.blame("N9: isSignedIn does not match the app's calls") }
    }

    /// Checks the invariants at the end of the trace.
    private func check() {
        for (name, process) in calls.withLock({ $0.open.values }) where world.isAlive(process) {
            world.blame("\(name) in process \(process) never ends")
        }
        let state = world.state.withLock { $0 }
        if !world.shape.vaultsFail {
            for (device, data) in state.stored {
                if let pair = state.pair(in: data), state.hasEnded(pair.grant, on: device) {
                    world.blame("N13: the vault of \(device) holds the tokens of \(pair.grant) after signing out")
                }
            }
        }
        for (process, grant) in state.signedOutWithRevocation where state.processes[process].isAlive {
            guard let server = state.server[grant], let number = state.processes[process].received[grant] else {
                continue
            }
            if number == server.latest, !server.revoked.contains(number), !server.isDead {
                world.blame("N13: pair \(grant).\(number) stays valid after signing out")
            }
        }
    }
}
