import BackplaneTesting
import Foundation

/// An operation that the server has carried out.
struct Execution: Sendable {
    let operation: TortureOperation
    /// The user whose token the request had.
    let user: String
}

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
            let body: Data
            let reply: ScriptedServer.Reply
        }

        /// The operations that were carried out, in order.
        private(set) var history: [Execution] = []
        private(set) var executed: Set<Int> = []
        /// How often each fault was made.
        private(set) var faults: [String: Int] = [:]
        /// How many requests had a known key and another body.
        private(set) var changedBodies = 0
        /// Whether faults are made at random.
        var isFaulty = false
        /// A fault for every operation.
        var forced: Fault?
        var hold: Hold?
        var lastHold = 0
        var droppedHolds: Set<Int> = []
        /// How many operations have waited since the last call of `hold(_:)`.
        var held = 0
        /// Whether a known key is carried out only once; one ablation changes it.
        var remembersKeys = true
        private var keys: [String: KnownKey] = [:]
        private var attempts: [Int: Int] = [:]
        private var accessTokens: [String: String] = [:]
        private var refreshTokens: [String: String] = [:]
        private var lastToken = 0

        /// Forgets all keys, as a server does after its key window.
        mutating func forgetKeys() { keys = [:] }

        // MARK: Tokens

        mutating func logIn(_ account: String) -> ScriptedServer.Reply {
            lastToken += 1
            accessTokens["access-\(lastToken)"] = account
            refreshTokens["refresh-\(lastToken)"] = account
            return .json(#"{"access_token":"access-\#(lastToken)","refresh_token":"refresh-\#(lastToken)"}"#)
        }

        mutating func refresh(_ token: String) -> ScriptedServer.Reply {
            guard let account = refreshTokens.removeValue(forKey: token) else { return .status(401) }
            return logIn(account)
        }

        /// Returns the user of a token, after the fault that concerns tokens.
        mutating func user(of token: String?, _ fault: Fault?) -> String? {
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

        /// Returns the fault of an attempt, and how many attempts of the operation have arrived.
        mutating func nextFault(for operation: TortureOperation, seed: UInt64) -> (Fault?, attempt: Int) {
            let attempt = attempts[operation.number, default: 0] + 1
            attempts[operation.number] = attempt
            var fault = forced
            if fault == nil, isFaulty {
                fault = .random(seed: seed, number: operation.number, attempt: attempt)
            }
            if let fault { faults[fault.rawValue, default: 0] += 1 }
            return (fault, attempt)
        }

        /// Carries out an operation, unless its key is known.
        mutating func execute(
            _ operation: TortureOperation,
            _ request: ScriptedServer.Request,
            for user: String
        ) -> ScriptedServer.Reply {
            let key = request.headers["idempotency-key"] ?? ""
            if let known = keys[key] {
                faults["known keys", default: 0] += 1
                if known.body == request.body { return known.reply }
                changedBodies += 1
                return .status(422)
            }
            let reply: ScriptedServer.Reply
            switch operation.fate {
            case .refused: reply = .status(422)
            case .conflicting: reply = .status(412)
            case .accepted:
                history.append(Execution(operation: operation, user: user))
                executed.insert(operation.number)
                reply = .json(#"{"number":\#(operation.number)}"#)
            }
            if operation.fate != .accepted { faults["\(operation.fate)", default: 0] += 1 }
            if remembersKeys { keys[key] = KnownKey(body: request.body, reply: reply) }
            return reply
        }
    }
}
