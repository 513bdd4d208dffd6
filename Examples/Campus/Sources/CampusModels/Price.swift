/// A price in euros.
public struct Price: Codable, Hashable, Sendable {
    /// The amount in cents, an integer, so that sums are exact.
    public let cents: Int

    /// Creates a price of this many cents.
    public init(cents: Int) {
        self.cents = cents
    }
}

extension Price: CustomStringConvertible {
    /// The price as `€12.50`.
    public var description: String {
        let (euros, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")€\(euros).\(rest < 10 ? "0" : "")\(rest)"
    }
}
