import CampusModels
import HTTPTypes
import Hummingbird

/// The routes for sign-in, refresh and sign-out.
struct SessionRoutes {
    let logins: LoginChecker
    let sessions: SessionStore
    let log: SecurityLog

    func add(to group: RouterGroup<APIContext>) {
        group.post("login", use: signIn)
        group.post("token/refresh", use: refresh)
        group.post("logout", use: signOut)
    }

    @Sendable private func signIn(_ request: Request, context: APIContext) async throws -> JSON<TokensResponse> {
        let login = try await request.decodeBody(as: LoginRequest.self, context: context)
        let email = try EmailAddress(login.email)
        let user: User.ID
        do {
            user = try await logins.user(email: email, password: login.password, for: context.client)
        } catch let failure as APIFailure {
            throw failure.of(log.alias(of: email))
        }
        let label = request.headers[.userAgent].flatMap(ClientLabel.label)
        let tokens = try await sessions.begin(for: user, label: label)
        log.record(.loginSucceeded, user: user.rawValue, client: context.client)
        return answer(with: tokens)
    }

    @Sendable private func refresh(_ request: Request, context: APIContext) async throws -> JSON<TokensResponse> {
        let refresh = try await request.decodeBody(as: RefreshRequest.self, context: context)
        switch try await sessions.refresh(OpaqueToken(text: refresh.refreshToken)) {
        case .renewed(let tokens): return answer(with: tokens)
        case .refused: throw APIFailure.invalidGrant
        case .reused(let user): throw APIFailure.reusedGrant.of(user.rawValue)
        }
    }

    @Sendable private func signOut(_ request: Request, context: APIContext) async throws -> HTTPResponse.Status {
        guard let token = request.bearerToken else { throw APIFailure.missingToken }
        guard let user = try await sessions.end(with: token) else { throw APIFailure.invalidToken }
        log.record(.sessionEnded, user: user.rawValue, client: context.client)
        return .noContent
    }

    /// Returns a response that must not be cached, because it has tokens (RFC 6749, section 5.1).
    private func answer(with tokens: TokensResponse) -> JSON<TokensResponse> {
        JSON(tokens, headers: [.cacheControl: "no-store"])
    }
}
