public import CampusAccounts
public import CampusModels

/// A service with fixed data, the same for every ID, so that a feature runs without a network, for
/// example in a preview or a test.
public struct CannedService: CampusService {
    private let signedIn: CannedAccount?

    /// Creates a service.
    ///
    /// - Parameter isSignedIn: whether a user is already signed in. Otherwise the login screen
    ///   shows its form, and accepts every password.
    public init(isSignedIn: Bool = false) {
        signedIn = isSignedIn ? CannedAccount() : nil
    }

    /// Returns the account of the user who was signed in from the start, until the user signs out.
    public func account() async -> (any Account)? {
        guard let signedIn, await !signedIn.hasEnded else { return nil }
        return signedIn
    }

    /// Returns `nil`, because no session expires.
    public func notice() async -> String? { nil }

    /// Signs in with any address and any password.
    public func signIn(
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
