/// What deriving a key from a password costs, to the server as to somebody who guesses: the parameters of scrypt.
public struct PasswordCost: Hashable, Sendable {
    /// The binary logarithm of the number of rounds; one more doubles time and memory.
    public var logRounds: Int
    /// The size of a block.
    ///
    /// The memory used is 128 bytes times rounds times this.
    public var blockSize: Int
    /// How many derivations are mixed, one after the other.
    public var parallelism: Int

    /// A cost.
    public init(logRounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 16 MiB and some tens of milliseconds: what RFC 7914's authors suggest for somebody who waits to be let in.
    public static let standard = PasswordCost(logRounds: 14)
}
