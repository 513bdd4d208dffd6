import CampusModels
import HTTPTypes
import Hummingbird

/// The routes for log-in, refresh and log-out.
struct SessionRoutes {
    let accounts: AccountStore
    let sessions: SessionStore
    let verifier: PasswordVerifier
    let throttle: LoginThrottle

    func add(to group: RouterGroup<APIContext>) {
        group.post("login", use: logIn)
        group.post("token/refresh", use: refresh)
        group.post("logout", use: logOut)
    }

    @Sendable private func logIn(_ request: Request, context: APIContext) async throws -> JSON<TokensResponse> {
        let login = try await request.decodeBody(as: LoginRequest.self, context: context)
        let email = login.email.lowercased()
        let key = LoginThrottle.Key(email: email, address: context.remoteAddress)
        try await throttle.admit(key)
        let account = try await accounts.account(email: email)
        let isVerified = try await verifier.verify(login.password, against: account?.passwordHash)
        guard isVerified, let account else { throw APIFailure.invalidCredentials }
        await throttle.forgive(key)
        let label = request.headers[.userAgent].flatMap(ClientLabel.label)
        return answer(with: try await sessions.begin(for: account.user, label: label))
    }

    @Sendable private func refresh(_ request: Request, context: APIContext) async throws -> JSON<TokensResponse> {
        let refresh = try await request.decodeBody(as: RefreshRequest.self, context: context)
        guard let tokens = try await sessions.refresh(OpaqueToken(text: refresh.refreshToken)) else {
            throw APIFailure.invalidGrant
        }
        return answer(with: tokens)
    }

    @Sendable private func logOut(_ request: Request, context: APIContext) async throws -> HTTPResponse.Status {
        guard let token = request.bearerToken else { throw APIFailure.missingToken }
        guard try await sessions.end(with: token) else { throw APIFailure.invalidToken }
        return .noContent
    }

    /// Returns a response that must not be cached, because it has tokens (RFC 6749, section 5.1).
    private func answer(with tokens: TokensResponse) -> JSON<TokensResponse> {
        JSON(tokens, headers: [.cacheControl: "no-store"])
    }
}
