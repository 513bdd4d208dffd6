public import CampusAccounts
public import CampusModels

/// A service with fixed data, the same for every ID, so that a feature runs without a network, for
/// example in a preview or a test.
public struct CannedService: CampusService {
    private let loggedIn: CannedAccount?

    /// Creates a service.
    ///
    /// - Parameter isLoggedIn: whether a user is already logged in. Otherwise the login screen
    ///   shows its form, and accepts every password.
    public init(isLoggedIn: Bool = false) {
        loggedIn = isLoggedIn ? CannedAccount() : nil
    }

    /// Returns the account of the user who was logged in from the start, until the user logs out.
    public func account() async -> (any Account)? {
        guard let loggedIn, await !loggedIn.hasEnded else { return nil }
        return loggedIn
    }

    /// Returns `nil`, because no session expires.
    public func notice() async -> String? { nil }

    /// Logs in with any address and any password.
    public func logIn(
        with request: LoginRequest,
        onEntry: @escaping @Sendable () async -> Void
    ) async throws -> any Account {
        await onEntry()
        return CannedAccount()
    }

    /// Returns the only product.
    public func catalog() async throws -> [Product] { [.cards] }

    /// Returns the only product, with this ID.
    public func product(_ id: Product.ID) async throws -> Product {
        Product(id: id, title: Product.cards.title, description: Product.cards.description, price: Product.cards.price)
    }
}

extension Product {
    /// The only product of ``CannedService``.
    static let cards = Product(
        id: "cards",
        title: "Punched Cards",
        description: "A hundred, blank.",
        price: Price(cents: 495)
    )
}
