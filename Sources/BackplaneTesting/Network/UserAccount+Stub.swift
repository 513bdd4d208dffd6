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
    ///   - server: responds to the requests of the account; `nil` is a stub without responses,
    ///     which reports each request at the caller's line.
    ///   - fileID: the caller's file, for failures.
    ///   - filePath: the path of the caller's file.
    ///   - line: the caller's line.
    ///   - column: the caller's column.
    /// - Returns: the account.
    public static func stub(
        _ user: User,
        on server: NetworkStub? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) -> UserAccount {
        let server = server ?? NetworkStub(fileID: fileID, filePath: filePath, line: line, column: column)
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
