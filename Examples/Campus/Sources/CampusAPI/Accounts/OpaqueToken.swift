import Foundation
import Hashing

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
        self.init(bytes: Hashing.randomBytes(32))
    }

    private init(bytes: Data) {
        text = bytes.base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The hash that the database stores.
    var hash: Data { Hashing.sha256(Data(text.utf8)) }

    /// Returns the token that replaces this one.
    ///
    /// It is derived from this token and a stored nonce, and both are necessary. So the server can
    /// return the same successor again to a client that lost the first response, although it stores
    /// no token.
    func successor(nonce: Data) -> OpaqueToken {
        OpaqueToken(bytes: Hashing.hmacSHA256(of: nonce, key: Data(text.utf8)))
    }
}
