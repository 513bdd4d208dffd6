import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

/// Everything that is known about an attack: its uses, its server, and the violations of the rules.
///
/// The world knows the rules of requests (N9 to N35) and not their implementation.
final class AttackWorld: Sendable {
    /// The parts of a trace that all uses share.
    struct Shape: Sendable {
        let middleware: AttackMiddleware
        let timeout: Duration
        let hasWeakTags: Bool
        /// The most requests of one use that meet a fault.
        let faults: Int
    }

    /// A sentence of the client about a use.
    enum Verdict: Sendable, Equatable {
        case done
        case refused(String)
        case open(String)
    }

    struct Use: Sendable {
        let plan: AttackPlan
        var generator: SeededGenerator
        /// How many times the app has asked for a request, or `nil` if it does not know.
        var sends: Int?
        var handed = 0
        var arrivals = 0
        /// The requests that the server refused because of their tokens.
        var tokenRefusals = 0
        /// The refusals of tokens that the client has received.
        var knownTokenRefusals = 0
        /// Whether the client must think that a request may have arrived.
        var mayHaveArrived = false
        var key: String?
        var body: Data?
        var verdicts: [Verdict] = []
    }

    struct State: Sendable {
        var uses: [Use] = []
        var server = AttackServer()
        var generator: SeededGenerator
        var lastCall = 0
        /// The fields of each call.
        var handed: [Int: HTTPFields] = [:]
        var arrivedCalls: Set<Int> = []
        var isSignedOut = false
        var openCalls: Set<String> = []
        /// Whether the server has said that the refresh token is refused.
        var hasSaidInvalidGrant = false
        var record = TraceRecord()
    }

    static let authority = "attack.test"
    static let canary = "CANARY"

    let state: Locked<State>
    /// The reaction of the app to the end of its session.
    let onExpiry = Locked<(@Sendable () -> Void)?>(nil)
    let shape: Shape
    let scheme: String
    let authority: String
    private var isInMemory: Bool { scheme == "https" }

    init(seed: UInt64, shape: Shape, scheme: String = "https", authority: String = AttackWorld.authority) {
        state = Locked(State(generator: SeededGenerator(seed: seed)))
        self.shape = shape
        self.scheme = scheme
        self.authority = authority
    }

    // MARK: Events of the app

    /// Adds a use with its own numbers, so that it stays the same without the other uses.
    func add(_ plan: AttackPlan, _ generator: SeededGenerator) -> Int {
        state.withLock { state in
            state.uses.append(Use(plan: plan, generator: generator))
            return state.uses.count - 1
        }
    }

    func draw<Result>(_ body: (inout SeededGenerator) -> Result) -> Result { state.withLock { body(&$0.generator) } }

    func note(_ what: String) { state.withLock { $0.record.log.append(what) } }

    func blame(_ fault: String) { state.withLock { $0.record.blame(fault) } }

    func call(_ name: String, isOpen: Bool) {
        state.withLock { state in
            if isOpen { state.openCalls.insert(name) } else { state.openCalls.remove(name) }
        }
    }

    func hear(_ verdict: Verdict, about use: Int) {
        state.withLock { state in
            state.uses[use].verdicts.append(verdict)
            state.record.log.append("\(use): the client says \(verdict)")
            // The next attempt of an action is a new one, with another key.
            if case .refused = verdict, state.uses[use].plan.kind == .action {
                (state.uses[use].key, state.uses[use].body) = (nil, nil)
                state.uses[use].mayHaveArrived = false
            }
        }
    }

    /// Checks that the texts of an error have no secret (N28).
    func read(_ error: any Error) {
        guard error is NetworkError || error is FeatureError else { return }
        var dumped = ""
        dump(error, to: &dumped)
        for (name, text) in [
            ("description", "\(error)"), ("debugDescription", String(reflecting: error)), ("dump", dumped),
            ("localizedDescription", error.localizedDescription),
        ] where text.contains(Self.canary) {
            blame("N28: the \(name) of an error has a secret: \(text.prefix(300))")
        }
    }

    func read(_ observation: NetworkObservation) {
        if "\(observation)".contains(Self.canary) { blame("N28: an observation has a secret: \(observation)") }
    }

    // MARK: Requests

    /// Returns the number of the use that a request belongs to, or `nil` for requests about tokens.
    static func use(of request: HTTPRequest) -> Int? {
        guard let path = request.path, let range = path.range(of: "use=") else { return nil }
        return Int(path[range.upperBound...].prefix { $0.isNumber })
    }

    /// Checks a request that the client gives to its transport.
    ///
    /// - Returns: The number of the call.
    func hand(_ request: HTTPRequest, _ body: Data?) -> Int {
        let use = Self.use(of: request)
        return state.withLock { state in
            state.lastCall += 1
            state.handed[state.lastCall] = request.headerFields
            state.record.log.append(
                "\(use.map(String.init) ?? "tokens"): \(request.method) \(request.path ?? "") is handed"
            )
            if request.scheme != scheme || request.authority != authority {
                state.record.blame("N29: a request goes to \(request.scheme ?? "")://\(request.authority ?? "")")
            }
            if let host = request.headerFields[HTTPField.Name.hostField], host != authority {
                state.record.blame("N29: a request names the host \(host)")
            }
            if let tag = request.headerFields[.ifMatch], tag.hasPrefix("W/") {
                state.record.blame("N24: a weak tag is a precondition")
            }
            guard let use else {
                if state.isSignedOut, request.path?.contains("refresh") == true {
                    state.record.blame("N22: a refresh is handed after the sign-out")
                }
                return state.lastCall
            }
            state.hand(use, request, body)
            return state.lastCall
        }
    }

    /// Records how a transport has ended a request.
    func settle(_ request: HTTPRequest, _ result: Result<(HTTPResponse, Data), any Error>, _ call: Int) {
        guard let use = Self.use(of: request) else { return }
        state.withLock { state in
            let plan = state.uses[use].plan
            switch result {
            case .success((let response, _)):
                state.record.log.append("\(use): receives \(response.status.code)")
                if response.status.code == plan.tokenRefusal, plan.isAuthenticated {
                    state.uses[use].knownTokenRefusals += 1
                    if state.uses[use].knownTokenRefusals == state.uses[use].handed {
                        state.uses[use].mayHaveArrived = false
                    }
                }
            case .failure(let error):
                state.record.log.append("\(use): fails with \(error)")
                guard (error as? URLError)?.code == .cannotConnectToHost else { return }
                if state.arrivedCalls.contains(call) {
                    state.record.blame("D26: a connection that was not made has brought a request to the server")
                }
                if state.uses[use].handed == 1 { state.uses[use].mayHaveArrived = false }
            }
        }
    }

    /// Lets a request arrive at the server.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Its body.
    ///   - call: The call that has handed over the request, if it is known.
    ///   - isCopy: Whether the network has made this copy.
    ///   - slowly: Whether the server begins now and ends in ``finish(_:_:)``.
    /// - Returns: The response, or `nil` if the server has only begun.
    func arrive(
        _ request: HTTPRequest,
        _ body: Data?,
        _ call: Int? = nil,
        isCopy: Bool = false,
        slowly: Bool = false
    ) -> AttackServer.Reply? {
        state.withLock { state in
            if let call {
                state.arrivedCalls.insert(call)
                let isSame = state.handed[call].map(isInMemory ? { $0 == request.headerFields } : request.hasFields)
                if isSame == false { state.record.blame("N34: a transport changes the fields of a request") }
            }
            let bearer = request.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
            if request.authority != authority {
                state.record.blame("N29: a request arrives at \(request.authority ?? "")")
            }
            guard let use = Self.use(of: request) else { return state.answerAboutTokens(request, body) }
            return state.arrive(use, request, body ?? Data(), bearer: bearer, isCopy: isCopy, slowly: slowly)
        }
    }

    /// Ends a request that the server has begun.
    func finish(_ request: HTTPRequest) -> AttackServer.Reply {
        guard let use = Self.use(of: request), let key = request.headerFields[.idempotencyKey] else { return .done(0) }
        return state.withLock { state in
            let plan = state.uses[use].plan
            return state.server.end(use, plan, key: key)
        }
    }

    // MARK: The end

    /// Compares what the client has said with what the server has done.
    func judge() {
        state.withLock { state in
            for call in state.openCalls { state.record.blame("N17: \(call.filter { !$0.isNumber }) never ends") }
            for (number, use) in state.uses.enumerated() { state.judge(number, use) }
        }
    }
}

extension AttackWorld.State {
    fileprivate mutating func hand(_ number: Int, _ request: HTTPRequest, _ body: Data?) {
        let use = uses[number]
        let plan = use.plan
        defer {
            uses[number].handed += 1
            uses[number].mayHaveArrived = true
        }
        let token = request.headerFields[.authorization]
        if plan.isAuthenticated {
            if isSignedOut { record.blame("N22: a request is handed after the sign-out") }
            if token?.hasPrefix("Bearer access-") != true { record.blame("N1: a request is handed without a token") }
        } else if token != nil {
            record.blame("N12: a public request has a token")
        }
        if plan.isUnsafe, use.mayHaveArrived || use.arrivals > use.tokenRefusals {
            record.blame("N23: an unkeyed \(plan.method) is sent again although it may have arrived")
        }
        let key = request.headerFields[.idempotencyKey]
        switch plan.key {
        case .none, .empty: if key?.isEmpty == false { record.blame("N33: a request has a key from nowhere") }
        case .fixed:
            if key == nil || key?.isEmpty == true { record.blame("D27: a keyed request is sent without its key") }
            if let known = use.key, known != key { record.blame("D27: an attempt has another key") }
            if let known = use.body, known != body { record.blame("N30: an attempt has another body") }
            (uses[number].key, uses[number].body) = (key, body)
        }
        if let sends = use.sends, use.handed >= sends + use.knownTokenRefusals {
            record.blame("N18: a mutation's request is sent again within one attempt")
        }
    }

    fileprivate mutating func arrive(
        _ number: Int,
        _ request: HTTPRequest,
        _ body: Data,
        bearer: String?,
        isCopy: Bool,
        slowly: Bool
    ) -> AttackServer.Reply? {
        let plan = uses[number].plan
        record.log.append("\(number): \(isCopy ? "a copy" : "a request") arrives")
        if !isCopy {
            uses[number].arrivals += 1
            // A GET changes nothing, and some clients repeat it over a new connection.
            if uses[number].arrivals > uses[number].handed, plan.method != .get {
                record.blame("N23: a transport sends a request more often than it was asked to")
            }
            if plan.cancellation == .beforehand { record.blame("N23: a caller that was cancelled sends a request") }
        }
        if plan.isAuthenticated, var refusal = server.refusal(of: bearer) {
            if !isCopy { uses[number].tokenRefusals += 1 }
            refusal.status = plan.tokenRefusal
            return refusal
        }
        let key = request.headerFields[.idempotencyKey]
        if slowly, let key, !key.isEmpty, plan.method != .get { return server.begin(key, body) }
        return server.carryOut(number, plan, key: key, body: body)
    }

    fileprivate mutating func answerAboutTokens(_ request: HTTPRequest, _ body: Data?) -> AttackServer.Reply {
        guard request.path?.contains("refresh") == true else { return AttackServer.Reply(status: 204) }
        let fields = body.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
        let reply = server.refresh(fields?["refresh_token"] ?? "")
        if reply.status == 400 { hasSaidInvalidGrant = true }
        return reply
    }

    fileprivate mutating func judge(_ number: Int, _ use: AttackWorld.Use) {
        let count = server.executions[number, default: 0]
        let plan = use.plan
        var isOpen = false
        for (index, verdict) in use.verdicts.enumerated() {
            switch verdict {
            // The error of an action's second attempt speaks about that attempt. The number of
            // effects shows whether the action has believed it.
            case .refused where plan.kind == .action && isOpen: break
            case .refused(let code) where index == use.verdicts.count - 1 && count > 0:
                record.blame(
                    "N23: a \(plan.kind) \(plan.method) is called refused (\(code)), but the server has done it"
                )
            // A deletion that finds nothing has succeeded (D27).
            case .done where count == 0 && plan.method != .get && plan.method != .delete:
                record.blame("N23: a \(plan.kind) \(plan.method) is called done, but the server has not done it")
            case .open: isOpen = true
            default: break
            }
        }
        if plan.isKeyed, ![.put, .delete].contains(plan.method), count > 1 {
            record.blame("D27: a \(plan.kind) \(plan.method) with one key is carried out \(count) times")
        }
    }
}

extension HTTPRequest {
    /// Returns whether a request over a socket has the fields that it was handed with.
    ///
    /// A client has to add others, such as the length of the body.
    fileprivate func hasFields(_ handed: HTTPFields) -> Bool {
        let names: [HTTPField.Name] = [.authorization, .contentType, .cookie, .idempotencyKey, .ifMatch]
        // An empty field says nothing, and some clients leave it out.
        return names.allSatisfy { (handed[$0] ?? "") == (headerFields[$0] ?? "") }
    }
}

extension HTTPField.Name {
    static let hostField = HTTPField.Name("Host") ?? .accept
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .accept
}
