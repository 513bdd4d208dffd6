import Crypto
import Foundation

/// A token that means nothing by itself: 256 random bits as text, which the database knows by their hash.
struct OpaqueToken: Sendable {
    /// What the client gets and sends.
    let text: String

    /// A token as a client sent it.
    init(text: String) {
        self.text = text
    }

    /// A new token.
    init() {
        self.init(bytes: SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })
    }

    private init(bytes: Data) {
        text = bytes.base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// What is stored of the token.
    var hash: Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// The token that this one is exchanged for.
    ///
    /// It follows from this token and a stored nonce, and from neither alone. So the server can give the same successor
    /// again to a client whose first answer was lost, although it stores no token.
    func successor(nonce: Data) -> OpaqueToken {
        let code = HMAC<SHA256>.authenticationCode(for: nonce, using: SymmetricKey(data: Data(text.utf8)))
        return OpaqueToken(bytes: Data(code))
    }
}
