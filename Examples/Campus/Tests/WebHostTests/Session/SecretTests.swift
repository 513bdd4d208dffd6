import Foundation
import Testing

@testable import WebHost

@Suite struct SecretTests {
    @Test func `random secrets have 32 digits and are all different`() {
        let secrets = (0..<1000).map { _ in Secret.random() }
        #expect(Set(secrets).count == 1000)
        #expect(secrets.allSatisfy { $0.digits.count == 32 })
    }

    @Test func `a secret matches only its own digits`() {
        let secret = Secret(digits: "0123")
        #expect(secret.matches("0123"))
        for other in ["", "012", "01234", "0124", "1123", "0123\u{301}"] { #expect(!secret.matches(other)) }
    }

    @Test func `descriptions of a secret and a window ID do not contain the digits`() {
        let secret = Secret(digits: "0123")
        #expect(!"\(secret) \(WindowID(secret: secret))".contains("0123"))
    }

    @Test func `a fingerprint is the SHA-256 of the digits`() {
        #expect(
            Secret(digits: "abc").fingerprint == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test func `an encoded secret decodes to the same secret, and invalid digits are not decoded`() throws {
        let secret = Secret.random()
        #expect(try JSONDecoder().decode(Secret.self, from: JSONEncoder().encode(secret)) == secret)
        for text in ["", "0", String(repeating: "g", count: 32), String(repeating: "0", count: 33)] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Secret.self, from: JSONEncoder().encode(text))
            }
        }
    }
}
