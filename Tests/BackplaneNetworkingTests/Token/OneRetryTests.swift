import BackplaneConformance
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneNetworking

@Suite(.rule("N3"), .timeLimit(.minutes(5)))
struct OneRetryTests {
    /// The server, the refreshes and the requests that use their tokens.
    private final class Stage: Sendable {
        let refreshes = [AsyncLatch(), AsyncLatch()]
        let last = AsyncLatch()
        let tokens = Watched<[String]>([])
        let count = Watched(0)

        func refresh() async -> ScriptedServer.Reply {
            let number = count.update {
                $0 += 1
                return $0
            }
            if number <= 2 { await refreshes[number - 1].wait() }
            return .json(#"{"access_token":"access-\#(number)","refresh_token":"refresh-\#(number)"}"#)
        }

        /// Refuses a request; the second refreshed token only when both requests use it.
        func refuse(_ token: AccessToken?) async -> NetworkResponse {
            tokens.update { $0.append(token?.rawValue ?? "none") }
            if token?.rawValue == "access-2" { await last.wait() }
            return NetworkResponse(head: HTTPResponse(status: .unauthorized), body: Data())
        }

        func send(in scope: UserScope) async throws -> HTTPResponse.Status {
            try await scope.authorize(refuse) { $0.head.status == .unauthorized }.head.status
        }
    }

    @Test func `if a token is refused before its request is sent, there is no further retry`() async throws {
        let (stage, actor) = (Stage(), HeldActor())
        let server = try ScriptedServer { _ in await stage.refresh() }
        let tokens = NetworkTokens.named("access-0", expiresIn: .zero)
        let account = try server.account(tokens: tokens, configure: { $0.clock = ManualClock() })
        let scope = account.makeScope()
        let held = Task { try await actor.run { try await stage.send(in: scope) } }
        await stage.refreshes[0].arrivals(atLeast: 1)
        // The actor is not told yet that its request may have the first token.
        let steps = actor.steps
        let resume = actor.hold()
        stage.refreshes[0].open()
        await actor.step(after: steps)
        let other = Task { try await stage.send(in: account.makeScope()) }
        await stage.refreshes[1].arrivals(atLeast: 1)
        // By now the server has refused the first token.
        resume()
        await actor.pass()
        stage.refreshes[1].open()
        await stage.last.arrivals(atLeast: 2)
        stage.last.open()
        #expect(try await [held.value, other.value] == [.unauthorized, .unauthorized])
        #expect(stage.tokens.value == ["access-1", "access-2", "access-2"])
        #expect(stage.count.value == 2)
    }
}
