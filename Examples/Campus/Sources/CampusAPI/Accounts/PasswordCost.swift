/// The cost of deriving a key from a password, for the server and for an attacker: scrypt
/// parameters.
public struct PasswordCost: Hashable, Sendable {
    /// The binary logarithm of the number of rounds; adding one doubles time and memory.
    public var logRounds: Int
    /// The size of a block.
    ///
    /// The memory in bytes is 128 times the rounds times this size.
    public var blockSize: Int
    /// The number of derivations that are mixed, one after the other.
    public var parallelism: Int

    /// Creates a cost.
    public init(logRounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The cost that the authors of RFC 7914 suggest for interactive sign-ins.
    ///
    /// It takes 16 MiB and some tens of milliseconds.
    public static let standard = PasswordCost(logRounds: 14)
}
