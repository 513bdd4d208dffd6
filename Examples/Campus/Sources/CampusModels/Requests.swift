/// The body of `POST /login`.
public struct LoginRequest: Codable, Hashable, Sendable, Redacted {
    /// The user's e-mail address; upper and lower case are equal.
    public let email: String
    /// The user's password.
    public let password: String

    /// Creates a sign-in with `email` and `password`.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// The body of `POST /token/refresh`.
public struct RefreshRequest: Codable, Hashable, Sendable, Redacted {
    /// The refresh token that was received last.
    public let refreshToken: String

    /// Creates a refresh with `refreshToken`.
    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}

/// The body of `PUT /courses/{course}/todos/{todo}`.
public struct TodoChange: Codable, Hashable, Sendable {
    /// Whether the to-do is ticked after the change, independent of its previous state.
    public let isDone: Bool

    /// Creates a change to this state.
    public init(isDone: Bool) {
        self.isDone = isDone
    }
}

/// The body of `POST /purchases`.
public struct NewPurchase: Codable, Hashable, Sendable {
    /// The product to buy.
    public let product: Product.ID

    /// Creates a purchase of `product`.
    public init(product: Product.ID) {
        self.product = product
    }
}

/// The body of `POST /_faults`, which an API with faults offers to tests and demonstrations.
public struct FaultsRequest: Codable, Hashable, Sendable {
    /// The new faults, in the form of `--faults`; empty to remove all faults.
    public let faults: String

    /// Creates a change to `faults`.
    public init(faults: String) {
        self.faults = faults
    }
}
