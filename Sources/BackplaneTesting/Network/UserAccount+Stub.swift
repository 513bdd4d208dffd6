import BackplaneNetworking
public import BackplaneRemote

extension UserAccount {
    /// Returns the account of a signed-in user without a session, to test boards that take one.
    ///
    /// Its requests have a token, and `server` responds to them. The account never ends, and
    /// `sync()` returns the same user. To test the end of an account, make a `UserSession` with the
    /// stub instead.
    ///
    /// ```swift
    /// let server = NetworkStub()
    /// server.respond(to: .get, "notes", with: .json("[]"))
    /// test.motherboard.activate(Desk.id, with: .stub(Member(id: "ada", name: "Ada"), on: server))
    /// ```
    ///
    /// - Parameters:
    ///   - user: the user of the account.
    ///   - server: responds to the requests of the account; by default it has no responses.
    /// - Returns: the account.
    public static func stub(_ user: User, on server: NetworkStub = NetworkStub()) -> UserAccount {
        guard let service = try? NonAuthenticatedNetworkController(baseURL: server.baseURL, transport: server) else {
            preconditionFailure("A controller accepts the URL of a stubbed server.")
        }
        let tokens = NetworkTokens(access: AccessToken(rawValue: "access"))
        let controller = AuthenticatedNetworkController(over: service, tokens: tokens) { _ in
            NonAuthenticatedEndpoint(.post("tokens"))  // never sent, without a refresh token
        }
        return UserAccount(standInFor: user, sendingWith: controller)
    }
}
