import Foundation
import Hashing

/// A password hash: a key derived with scrypt (RFC 7914), with its salt and its cost.
///
/// It stores its own cost, so the cost for new passwords can change while old hashes stay valid. As
/// text: `$scrypt$ln=14,r=8,p=1$<salt>$<key>`, with salt and key in base64.
struct PasswordHash: Sendable {
    private let cost: PasswordCost
    private let salt: Data
    private let key: Data

    /// Hashes a password with a new salt.
    init(password: String, cost: PasswordCost) throws {
        self.cost = cost
        self.salt = Hashing.randomBytes(16)
        self.key = try Self.derive(from: password, salt: salt, cost: cost)
    }

    /// Returns whether `password` is the hashed one; both results take the same time.
    func matches(_ password: String) throws -> Bool {
        Hashing.areEqual(try Self.derive(from: password, salt: salt, cost: cost), key)
    }

    private static func derive(from password: String, salt: Data, cost: PasswordCost) throws -> Data {
        // Different keyboards can enter the same password as different code points.
        let normalized = password.precomposedStringWithCanonicalMapping
        return try Hashing.scrypt(
            password: Data(normalized.utf8),
            salt: salt,
            rounds: 1 << cost.logRounds,
            blockSize: UInt32(cost.blockSize),
            parallelism: UInt32(cost.parallelism)
        )
    }
}

extension PasswordHash: LosslessStringConvertible {
    init?(_ description: String) {
        guard
            let match = description.wholeMatch(
                of: /\$scrypt\$ln=(?<log>\d{1,2}),r=(?<size>\d{1,2}),p=(?<lanes>\d{1,2})\$(?<salt>[^$]+)\$(?<key>[^$]+)/
            ),
            let logRounds = Int(match.log), let blockSize = Int(match.size), let parallelism = Int(match.lanes),
            let salt = Data(base64Encoded: String(match.salt)),
            let key = Data(base64Encoded: String(match.key))
        else { return nil }
        self.cost = PasswordCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        self.salt = salt
        self.key = key
    }

    var description: String {
        let parameters = "ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(parameters)$\(salt.base64EncodedString())$\(key.base64EncodedString())"
    }
}
