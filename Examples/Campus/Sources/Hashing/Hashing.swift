import CSodium
public import Foundation

/// Hashes, keys of passwords and random bytes, from libsodium.
///
/// The system's library is linked, so that Campus compiles no cryptography of its own.
public enum Hashing {
    /// The library chooses its implementations for this processor once, before its first use.
    private static let isReady = sodium_init() >= 0

    /// Returns the SHA-256 hash of `data`: 32 bytes.
    public static func sha256(_ data: Data) -> Data {
        fill(32) { crypto_hash_sha256($0, [UInt8](data), UInt64(data.count)) }
    }

    /// Returns the HMAC of a message with SHA-256 (RFC 2104).
    ///
    /// - Parameters:
    ///   - message: the bytes to authenticate.
    ///   - key: the secret, of any length.
    /// - Returns: the 32 bytes of the code.
    public static func hmacSHA256(of message: Data, key: Data) -> Data {
        fill(32) { code in
            var state = crypto_auth_hmacsha256_state()
            crypto_auth_hmacsha256_init(&state, [UInt8](key), key.count)
            crypto_auth_hmacsha256_update(&state, [UInt8](message), UInt64(message.count))
            return crypto_auth_hmacsha256_final(&state, code)
        }
    }

    /// Derives a key from a password with scrypt (RFC 7914).
    ///
    /// - Parameters:
    ///   - password: the bytes of the password.
    ///   - salt: the random bytes that make equal passwords have different keys.
    ///   - rounds: the cost N, a power of two; memory in bytes is 128 times N times `blockSize`.
    ///   - blockSize: the size of a block, r.
    ///   - parallelism: the number of derivations that are mixed, p.
    /// - Returns: the 32 bytes of the key.
    /// - Throws: ``HashingError`` if the cost is not valid or the memory is not available.
    public static func scrypt(
        password: Data,
        salt: Data,
        rounds: UInt64,
        blockSize: UInt32,
        parallelism: UInt32
    ) throws(HashingError) -> Data {
        var status: Int32 = -1
        let key = fill(32) { key in
            status = crypto_pwhash_scryptsalsa208sha256_ll(
                [UInt8](password),
                password.count,
                [UInt8](salt),
                salt.count,
                rounds,
                blockSize,
                parallelism,
                key,
                32
            )
        }
        guard status == 0 else {
            throw HashingError(
                message: "scrypt refused its cost (N = \(rounds), r = \(blockSize), p = \(parallelism)), or there "
                    + "was not enough memory. N must be a power of two; r times p must be below 2^30."
            )
        }
        return key
    }

    /// Returns whether two values are equal, in a time that depends only on their lengths.
    public static func areEqual(_ left: Data, _ right: Data) -> Bool {
        left.count == right.count && sodium_memcmp([UInt8](left), [UInt8](right), left.count) == 0
    }

    /// Returns random bytes from the system that nobody can predict.
    public static func randomBytes(_ count: Int) -> Data {
        fill(count) { randombytes_buf($0, count) }
    }

    private static func fill(_ count: Int, with body: (UnsafeMutablePointer<UInt8>) -> some Any) -> Data {
        precondition(isReady, "libsodium could not be initialized: the system has no source of random bytes.")
        var bytes = [UInt8](repeating: 0, count: count)
        _ = body(&bytes)
        return Data(bytes)
    }
}

/// A key could not be derived.
public struct HashingError: Error, CustomStringConvertible {
    let message: String

    /// The reason, without any of the values.
    public var description: String { message }
}
