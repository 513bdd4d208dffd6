import BackplaneConformance
import BackplaneTesting
import Foundation

extension TortureServer {
    /// The memory of the server.
    struct State: Sendable {
        /// An order of the driver to have operations wait.
        struct Hold: Sendable {
            enum Stage: Sendable {
                case beforeExecution
                case afterExecution
            }

            let id: Int
            let stage: Stage
        }

        private struct KnownKey: Sendable {
            let request: Data
            let reply: ScriptedServer.Reply
        }

        var history = History()
        /// How often each fault was made.
        var faults: [String: Int] = [:]
        /// Whether faults are made at random.
        var isFaulty = false
        /// A fault for every operation.
        var forced: Fault?
        /// Whether the server that refreshes tokens is away.
        var refreshFails = false
        var hold: Hold?
        var lastHold = 0
        var droppedHolds: Set<Int> = []
        /// How many operations have waited since the last call of `hold(_:)`.
        var held = 0
        /// The safeguard that this server leaves out.
        var ablation: Options.Ablation?
        var records = Records()
        private(set) var executed: Set<Int> = []
        private var keys: [String: KnownKey] = [:]
        private var inProgress: Set<String> = []
        private var refusals: [String: Int] = [:]
        private var attempts: [Int: Int] = [:]
        private var accessTokens: [String: String] = [:]
        private var refreshTokens: [String: String] = [:]
        private var lastToken = 0

        /// Forgets all keys, as a server does after its key window.
        mutating func forgetKeys() { keys = [:] }

        // MARK: Tokens

        mutating func signIn(_ account: String) -> ScriptedServer.Reply {
            lastToken += 1
            accessTokens["access-\(lastToken)"] = account
            refreshTokens["refresh-\(lastToken)"] = account
            return .json(#"{"access_token":"access-\#(lastToken)","refresh_token":"refresh-\#(lastToken)"}"#)
        }

        mutating func refresh(_ token: String) -> ScriptedServer.Reply {
            if refreshFails { return .status(503) }
            guard let account = refreshTokens.removeValue(forKey: token) else { return .status(401) }
            return signIn(account)
        }

        /// Has all access tokens expire.
        mutating func expireTokens() { accessTokens = [:] }

        /// Returns the user of a token, after the fault that concerns tokens.
        mutating func user(of token: String?, _ fault: Fault? = nil) -> String? {
            guard let token, let account = accessTokens[token] else {
                faults["refused tokens", default: 0] += 1
                return nil
            }
            switch fault {
            case .expired: accessTokens[token] = nil
            case .revoked:
                accessTokens = accessTokens.filter { $0.value != account }
                refreshTokens = refreshTokens.filter { $0.value != account }
            default: return account
            }
            return nil
        }

        // MARK: Operations

        /// Notes a request.
        ///
        /// - Returns: Its number in the history, its fault, and how many attempts of the operation
        ///   have arrived.
        mutating func arrived(
            _ operation: TortureOperation,
            _ request: ScriptedServer.Request,
            seed: UInt64
        ) -> (index: Int, fault: Fault?, attempt: Int) {
            let attempt = attempts[operation.number, default: 0] + 1
            attempts[operation.number] = attempt
            var fault = forced
            if fault == nil, isFaulty {
                fault = .random(seed: seed, number: operation.number, attempt: attempt)
            }
            if let fault { faults[fault.rawValue, default: 0] += 1 }
            records.arrived(request.record, key: request.key)
            let index = history.arrived(
                operation,
                key: request.key,
                request: request.bytes,
                condition: request.headers["if-match"]
            )
            return (index, fault, attempt)
        }

        /// Looks for the key of a request, before anything else about it is checked.
        ///
        /// - Returns: The response to a known key, or `nil` if the request is to be carried out.
        mutating func begin(_ operation: TortureOperation, _ request: ScriptedServer.Request) -> ScriptedServer.Reply? {
            let key = request.key
            if ablation == .permissionFirst, operation.edition == 0, executed.contains(operation.number) {
                return .status(403)
            }
            if let known = keys[key] {
                faults["known keys", default: 0] += 1
                if known.request == request.bytes { return known.reply }
                history.breaches.append((.changedBytes, operation.number))
                return .status(422)
            }
            if inProgress.contains(key) {
                faults["keys in progress", default: 0] += 1
                return .status([409, 425, 503][operation.number % 3])
            }
            inProgress.insert(key)
            return nil
        }

        /// Carries out an operation.
        mutating func execute(
            _ index: Int,
            _ operation: TortureOperation,
            _ request: ScriptedServer.Request,
            isEditedByOthers: Bool,
            isLost: Bool
        ) -> ScriptedServer.Reply {
            let key = request.key
            inProgress.remove(key)
            if let status = operation.refusal, status == 422 || refusals[key] == nil {
                // A refusal that does not arrive is repeated.
                refusals[key] = isLost ? nil : status
                faults["refused with \(status)", default: 0] += 1
                let reply = ScriptedServer.Reply.status(status)
                if status == 422 { keys[key] = KnownKey(request: request.bytes, reply: reply) }
                return reply
            }
            if operation.record != nil, isEditedByOthers { records.editByOthers(request.record, operation) }
            let outcome = records.perform(
                operation,
                on: request.record,
                key: key,
                if: request.headers["if-match"],
                ignoringTags: ablation == .ignoredTags,
                &history
            )
            guard outcome.isDone else {
                faults["refused with \(outcome.reply.status)", default: 0] += 1
                return outcome.reply
            }
            executed.insert(operation.number)
            let time = history.tick()
            let foreign = records.foreignChanges(of: request.record)
            history.change(index) { ($0.execution, $0.foreignChanges) = (time, foreign) }
            if ablation != .noDedupe { keys[key] = KnownKey(request: request.bytes, reply: outcome.reply) }
            return outcome.reply
        }

        /// Ends the work on a request that is not carried out.
        mutating func end(_ request: ScriptedServer.Request) { inProgress.remove(request.key) }
    }
}

extension ScriptedServer.Request {
    var key: String { headers["idempotency-key"] ?? "" }

    /// The part that is the same at each attempt.
    var bytes: Data { Data("\(method) \(target)\n".utf8) + body }

    /// The ID of the record in the path.
    var record: String? {
        let parts = target.split(separator: "/")
        return parts.count == 2 && parts[0] == "records" ? parts[1].removingPercentEncoding : nil
    }
}
