import BackplaneTesting
import Foundation

/// A server that gives each refresh token up when it is used, and takes one that comes again for stolen: it then accepts
/// nothing any more.
///
/// The last one used is forgiven if there is a grace: its successor is given once more (N11).
final class RotatingServer: Sendable {
    struct State: Sendable {
        /// The number of the refresh token that is good: `refresh-1` at first.
        var current = 1
        var hasGrace: Bool
        /// Whether a refresh token that comes again is refused and nothing more.
        var isForgiving = false
        /// Whether a refresh token that had been given up came again, and all was lost for that.
        var wasReused = false
        /// How many more requests the access token is good for.
        var uses: Int
        /// How many it is good for when it is new.
        var usesEach: Int
        /// What refreshes wait for, before they are carried out.
        var gate: AsyncLatch?
        var refreshes = 0
    }

    let state: Watched<State>
    let http: ScriptedServer

    /// A server whose access tokens are good for `uses` requests each.
    init(uses: Int = .max, hasGrace: Bool = false) throws {
        let state = Watched(State(hasGrace: hasGrace, uses: uses, usesEach: uses))
        self.state = state
        http = try ScriptedServer { request in
            switch request.target {
            case "/token/refresh":
                await state.value.gate?.wait()
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
