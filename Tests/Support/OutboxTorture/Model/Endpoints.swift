import BackplaneNetworking

/// The response to an operation; a record is one, too.
struct Receipt: Codable, Sendable {
    let number: Int
}

/// Whether the server has carried out an operation.
struct Finding: Codable, Sendable {
    let isExecuted: Bool
}

extension IdempotentEndpoint where Access == AuthenticatedNetworkController, Response: Decodable {
    /// Carries out an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - record: The ID of its record as far as it is known, or the one that the app has made.
    /// - Returns: The endpoint.
    static func perform(_ operation: TortureOperation, on record: String? = nil) -> Self {
        guard let record = record ?? operation.record else {
            return Self(.post("operations", body: .json(operation)))
        }
        return operation.sort == .creation
            ? Self(.post("records", body: .json(operation)))
            : Self(.put("records/\(record)", body: .json(operation)))
    }
}

extension AuthenticatedEndpoint<Finding> {
    /// Asks whether an operation was carried out (D14).
    static func finding(about number: Int) -> Self { Self(.get("executed/\(number)")) }
}

extension AuthenticatedEndpoint<TortureRecord> {
    static func record(_ id: String) -> Self { Self(.get("records/\(id)")) }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func signIn(as account: String) -> Self { Self(.post("sign-in", body: .json(["account": account]))) }

    static func refresh(_ token: RefreshToken) -> Self {
        Self(.post("refresh", body: .json(["token": token.rawValue])))
    }
}

extension NonAuthenticatedEndpoint<Void> {
    /// Notes in the history of the server that an operation is discarded.
    static func discarded(_ number: Int) -> Self { Self(.post("discarded/\(number)")) }
}
