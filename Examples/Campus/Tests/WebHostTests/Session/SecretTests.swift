import Foundation
import Testing

@testable import WebHost

@Suite struct SecretTests {
    @Test func `a secret is 128 bits in digits, and each is another`() {
        let secrets = (0..<1000).map { _ in Secret.random() }
        #expect(Set(secrets).count == 1000)
        #expect(secrets.allSatisfy { $0.digits.count == 32 })
    }

    @Test func `a secret matches itself and nothing else`() {
        let secret = Secret(digits: "0123")
        #expect(secret.matches("0123"))
        for other in ["", "012", "01234", "0124", "1123", "0123\u{301}"] { #expect(!secret.matches(other)) }
    }

    @Test func `a secret does not end up in a log`() {
        let secret = Secret(digits: "0123")
        #expect(!"\(secret) \(WindowID(secret: secret))".contains("0123"))
    }

    @Test func `a fingerprint is the SHA-256 of the digits`() {
        #expect(
            Secret(digits: "abc").fingerprint == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test func `a secret is coded as its digits, and read only if it can be one`() throws {
        let secret = Secret.random()
        #expect(try JSONDecoder().decode(Secret.self, from: JSONEncoder().encode(secret)) == secret)
        for text in ["", "0", String(repeating: "g", count: 32), String(repeating: "0", count: 33)] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Secret.self, from: JSONEncoder().encode(text))
            }
        }
    }
}
