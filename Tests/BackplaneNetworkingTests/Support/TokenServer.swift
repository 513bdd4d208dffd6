import BackplaneNetworking
import BackplaneTesting
import Foundation

/// A server with log-in tokens: it accepts the access tokens it is told to, and gives `access-N` for the N-th refresh.
final class TokenServer: Sendable {
    struct State: Sendable {
        /// The access tokens that are good.
        var accepted: Set<String> = []
        /// What a refresh waits for, if not answered at once.
        var refreshGate: AsyncLatch?
        /// What a refresh is answered instead of new tokens.
        var refreshFailure: ScriptedServer.Reply?
        /// The seconds a new access token is good for, if that is said.
        var expiresIn: Int?
        /// What the server says the time is, if it says.
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
        await state.value.refreshGate?.wait()
        if let failure = state.value.refreshFailure { return failure }
        let access = "access-\(number)"
        let expiry = state.update { state in
            state.accepted = [access]
            return state.expiresIn.map { #","expires_in":\#($0)"# } ?? ""
        }
        return .json(#"{"access_token":"\#(access)","refresh_token":"refresh-\#(number + 1)"\#(expiry)}"#)
    }

    /// The tokens with which `/me` was asked for, in the order of arrival.
    var tokensSeen: [String] { http.requests.filter { $0.target == "/me" }.map { $0.bearer ?? "none" } }

    /// The refresh tokens that were to be revoked, in the order of arrival.
    var revoked: [String] {
        http.requests.filter { $0.target == "/token/revoke" }.compactMap {
            try? JSONDecoder().decode([String: String].self, from: $0.body)["refresh_token"]
        }
    }

    var refreshes: Int { state.value.refreshes }
}
