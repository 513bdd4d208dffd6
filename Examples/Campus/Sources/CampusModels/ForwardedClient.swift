/// A client for which the app sends a request to the API.
///
/// All requests of the app come from one address. So the app names the client's address in a header
/// field, and proves with its key that it may. The API limits sign-ins by this address.
public struct ForwardedClient: Hashable, Sendable {
    /// The name of the header field for the client's address.
    public static let addressField = "X-Campus-Client-Address"
    /// The name of the header field for the key of the app.
    public static let keyField = "X-Campus-App-Key"

    /// The client's IP address, without a port.
    public let address: String
    /// The key that the app and the API share.
    public let key: AppKey

    /// Creates a client with this address, named by the app with `key`.
    public init(address: String, key: AppKey) {
        self.address = address
        self.key = key
    }
}

/// A secret that the app and the API share.
public struct AppKey: Hashable, Sendable, Redacted {
    /// The smallest number of characters of a key.
    public static let minimumLength = 32

    /// The key as text.
    public let rawValue: String

    /// Creates the key `rawValue`.
    ///
    /// It is `nil` if the text is too short, or has characters other than visible ASCII characters,
    /// which a header field cannot carry.
    public init?(rawValue: String) {
        guard rawValue.utf8.count >= Self.minimumLength, rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.rawValue = rawValue
    }

    private init(digits: [Int]) {
        rawValue = digits.map { String($0, radix: 16) }.joined()
    }

    /// Returns a new key with 256 random bits.
    public static func random() -> AppKey {
        AppKey(digits: (0..<64).map { _ in .random(in: 0..<16) })
    }
}
