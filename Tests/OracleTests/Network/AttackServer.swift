import BackplaneTesting
import Foundation
import HTTPTypes

/// The server of an attack: it knows what it has done, and it keeps its word.
///
/// It refuses a request only if it does not carry it out. It carries out requests with the same key
/// once (D9).
struct AttackServer: Sendable {
    struct Reply: Sendable, Equatable {
        var status: Int
        var fields: [String: String] = [:]
        var body = ""

        static func done(_ use: Int) -> Reply { Reply(status: 200, body: #"{"value":\#(use)}"#) }

        /// Returns a refusal, whose words are secret.
        static func refused(_ status: Int) -> Reply {
            Reply(status: status, body: #"{"title":"CANARY","CANARY":{"CANARY":1}}"#)
        }

        var response: (HTTPResponse, Data) {
            var response = HTTPResponse(status: .init(code: status))
            for (name, value) in fields {
                if let name = HTTPField.Name(name) { response.headerFields[name] = value }
            }
            return (response, Data(body.utf8))
        }
    }

    private struct Known {
        let body: Data
        /// The response, or `nil` while the request is carried out.
        var reply: Reply?
    }

    private var keys: [String: Known] = [:]
    /// How many times the server has carried out each use.
    private(set) var executions: [Int: Int] = [:]
    /// The number of the valid access token, and of the refresh token of that pair.
    private(set) var token = 0
    /// Whether the next access needs new tokens.
    private(set) var isTokenRefused = false
    var isRevoked = false

    // MARK: Uses

    /// Carries out a request.
    ///
    /// - Returns: The response.
    mutating func carryOut(_ use: Int, _ plan: AttackPlan, key: String?, body: Data) -> Reply {
        guard plan.method != .get else { return .done(use) }
        guard let key, !key.isEmpty else { return perform(use, plan) }
        if let early = begin(key, body) { return early }
        return end(use, plan, key: key)
    }

    /// Begins a request with a key.
    ///
    /// - Returns: The response if the key is known.
    mutating func begin(_ key: String, _ body: Data) -> Reply? {
        if let known = keys[key] {
            guard known.body == body else { return .refused(422) }
            return known.reply ?? .refused(409)
        }
        keys[key] = Known(body: body)
        return nil
    }

    /// Carries out a request that has begun.
    mutating func end(_ use: Int, _ plan: AttackPlan, key: String) -> Reply {
        let reply = perform(use, plan)
        keys[key]?.reply = reply
        return reply
    }

    private mutating func perform(_ use: Int, _ plan: AttackPlan) -> Reply {
        guard plan.isAcceptable else { return .refused(plan.refusal) }
        let count = executions[use, default: 0]
        if count > 0, plan.method == .delete { return .refused(404) }
        if count > 0, plan.isConditional { return .refused(412) }
        executions[use] = count + 1
        return .done(use)
    }

    // MARK: Tokens

    mutating func refuseToken() { isTokenRefused = true }

    /// Returns the refusal of a request without a valid access token.
    func refusal(of bearer: String?) -> Reply? {
        if !isRevoked, !isTokenRefused, bearer == "access-\(token)" { return nil }
        return Reply(status: 401, fields: ["WWW-Authenticate": "Bearer error=\"invalid_token\""], body: "CANARY")
    }

    /// Exchanges a refresh token; the last used one gets its successor again (N11).
    mutating func refresh(_ refresh: String) -> Reply {
        guard !isRevoked, refresh == "refresh-\(token)" || refresh == "refresh-\(token - 1)" else {
            return Reply(status: 400, body: #"{"error":"invalid_grant","error_description":"CANARY"}"#)
        }
        if refresh == "refresh-\(token)" {
            token += 1
            isTokenRefused = false
        }
        return Reply(
            status: 200,
            body: #"{"access_token":"access-\#(token)","refresh_token":"refresh-\#(token)","expires_in":600}"#
        )
    }
}
