import Crypto
import Foundation

/// A token without content: 256 random bits as text; the database stores only its hash.
struct OpaqueToken: Sendable {
    /// The text that the client receives and sends.
    let text: String

    /// Creates a token from the text that a client sent.
    init(text: String) {
        self.text = text
    }

    /// Creates a new random token.
    init() {
        self.init(bytes: SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })
    }

    private init(bytes: Data) {
        text = bytes.base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The hash that the database stores.
    var hash: Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Returns the token that replaces this one.
    ///
    /// It is derived from this token and a stored nonce, and both are necessary. So the server can
    /// return the same successor again to a client that lost the first response, although it stores
    /// no token.
    func successor(nonce: Data) -> OpaqueToken {
        let code = HMAC<SHA256>.authenticationCode(for: nonce, using: SymmetricKey(data: Data(text.utf8)))
        return OpaqueToken(bytes: Data(code))
    }
}
