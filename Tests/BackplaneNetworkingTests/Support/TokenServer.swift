import BackplaneConformance
import BackplaneNetworking
import BackplaneTesting
import Foundation

/// A server that accepts the given access tokens and issues `access-N` for the N-th refresh.
final class TokenServer: Sendable {
    struct State: Sendable {
        /// The valid access tokens.
        var accepted: Set<String> = []
        /// The latch that a refresh waits for; `nil` if the server responds at once.
        var refreshLatch: AsyncLatch?
        /// The response to a refresh instead of new tokens.
        var refreshFailure: ScriptedServer.Reply?
        /// The lifetime of a new access token in seconds, if the response contains a lifetime.
        var expiresIn: Int?
        /// The `Date` field of the responses, if they have one.
        var date: String?
        var refreshes = 0
    }

    let state: Watched<State>
    let http: ScriptedServer

    init(accepting accepted: Set<String> = [], _ configure: (inout State) -> Void = { _ in }) throws {
        var initial = State(accepted: accepted)
        configure(&initial)
        let state = Watched(initial)
        self.state = state
        http = try ScriptedServer { request in
            var reply: ScriptedServer.Reply =
                switch request.target {
                case "/token/refresh": await Self.refresh(state)
                case "/me" where state.value.accepted.contains(request.bearer ?? ""): .json(#"{"name":"Ada"}"#)
                case "/me": .json(#"{"error":"invalid_token"}"#, status: 401)
                default: .status(204)
                }
            reply.headers["Date"] = state.value.date
            return reply
        }
    }

    private static func refresh(_ state: Watched<State>) async -> ScriptedServer.Reply {
        let number = state.update { state in
            state.refreshes += 1
            return state.refreshes
        }
        await state.value.refreshLatch?.wait()
        if let failure = state.value.refreshFailure { return failure }
        let access = "access-\(number)"
        let expiry = state.update { state in
            state.accepted = [access]
            return state.expiresIn.map { #","expires_in":\#($0)"# } ?? ""
        }
        return .json(#"{"access_token":"\#(access)","refresh_token":"refresh-\#(number + 1)"\#(expiry)}"#)
    }

    /// The access tokens of the requests for `/me`, in order of arrival.
    var tokensSeen: [String] { http.requests.filter { $0.target == "/me" }.map { $0.bearer ?? "none" } }

    /// The refresh tokens to revoke, in order of arrival.
    var revoked: [String] {
        http.requests.filter { $0.target == "/token/revoke" }.compactMap {
            try? JSONDecoder().decode([String: String].self, from: $0.body)["refresh_token"]
        }
    }

    var refreshes: Int { state.value.refreshes }
}
