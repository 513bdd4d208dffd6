import BackplaneConformance
import BackplaneTesting
import Foundation

/// A server that accepts each refresh token only once and treats a repeated token as stolen.
///
/// After a repeated token, the server accepts no token any longer. With a grace, the server
/// forgives the last used token and returns its successor again (N11).
final class RotatingServer: Sendable {
    struct State: Sendable {
        /// The number of the valid refresh token, `refresh-1` at first.
        var current = 1
        var hasGrace: Bool
        /// Whether a repeated refresh token is refused without further consequences.
        var isForgiving = false
        /// Whether a used refresh token was repeated, which ended the session.
        var wasReused = false
        /// The number of further requests that the access token is valid for.
        var uses: Int
        /// The number of requests that a new access token is valid for.
        var usesEach: Int
        /// The latch that a refresh waits for before the server performs it.
        var latch: AsyncLatch?
        var refreshes = 0
    }

    let state: Watched<State>
    let http: ScriptedServer

    /// Creates a server whose access tokens are valid for `uses` requests each.
    init(uses: Int = .max, hasGrace: Bool = false) throws {
        let state = Watched(State(hasGrace: hasGrace, uses: uses, usesEach: uses))
        self.state = state
        http = try ScriptedServer { request in
            switch request.target {
            case "/token/refresh":
                await state.value.latch?.wait()
                return Self.refresh(String(decoding: request.body, as: UTF8.self), state)
            case "/me":
                let isGood = state.update { state in
                    guard !state.wasReused, request.bearer == "access-\(state.current)", state.uses > 0 else {
                        return false
                    }
                    state.uses -= 1
                    return true
                }
                return isGood ? .json(#"{"name":"Ada"}"#) : .status(401)
            default:
                return .status(204)
            }
        }
    }

    private static func refresh(_ body: String, _ state: Watched<State>) -> ScriptedServer.Reply {
        let current: Int? = state.update { state in
            state.refreshes += 1
            if !state.wasReused, body.contains("\"refresh-\(state.current)\"") {
                state.current += 1
                state.uses = state.usesEach
            } else if !state.hasGrace || !body.contains("\"refresh-\(state.current - 1)\"") {
                state.wasReused = !state.isForgiving
                return nil
            }
            return state.current
        }
        guard let current else { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
        return .json(
            #"{"access_token":"access-\#(current)","refresh_token":"refresh-\#(current)","expires_in":900}"#
        )
    }
}
