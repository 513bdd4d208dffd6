import Testing

@testable import CampusAPI

struct PasswordHashTests {
    @Test func `a stored hash matches only its password`() throws {
        let hash = try PasswordHash(password: "correct horse", cost: .standard)
        #expect(hash.description.hasPrefix("$scrypt$ln=14,r=8,p=1$"))
        let stored = try #require(PasswordHash(hash.description))
        #expect(stored.description == hash.description)
        #expect(try stored.matches("correct horse"))
        #expect(try !stored.matches("correct horsf"))
        #expect(try !stored.matches(""))
    }

    @Test func `a hash keeps its cost`() throws {
        let cost = PasswordCost(logRounds: 5, blockSize: 4, parallelism: 2)
        let hash = try PasswordHash(password: "correct horse", cost: cost)
        let stored = try #require(PasswordHash(hash.description))
        #expect(hash.description.hasPrefix("$scrypt$ln=5,r=4,p=2$"))
        #expect(try stored.matches("correct horse"))
    }

    @Test func `two hashes of one password differ in salt and key`() throws {
        let cost = PasswordCost(logRounds: 4)
        let first = try PasswordHash(password: "correct horse", cost: cost).description.split(separator: "$")
        let second = try PasswordHash(password: "correct horse", cost: cost).description.split(separator: "$")
        #expect(first[2] != second[2])
        #expect(first[3] != second[3])
    }

    @Test func `a password matches regardless of how its accents are composed`() throws {
        let hash = try PasswordHash(password: "caf\u{E9}", cost: PasswordCost(logRounds: 4))
        #expect(try hash.matches("cafe\u{301}"))
    }

    @Test(arguments: ["", "correct horse", "$scrypt$ln=14,r=8,p=1$c2FsdA==", "$scrypt$ln=x,r=8,p=1$c2FsdA==$a2V5"])
    func `a malformed text is not a hash`(text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test func `an unknown user has no valid password, not even that of the decoy`() async throws {
        let verifier = try PasswordVerifier(cost: PasswordCost(logRounds: 4))
        let attempt = try LoginThrottle.Attempt(email: EmailAddress("who"), network: "192.0.2.1", isKnown: false)
        #expect(try await !verifier.verify("", against: nil, for: attempt))
    }
}
