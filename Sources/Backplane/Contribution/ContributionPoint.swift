/// The typed name of something that features add to: the tabs of an app, the tiles of a dashboard, the entries of a menu.
///
/// It belongs to the feature that shows the values, and lives in its interface module. The type argument is the type of the
/// values, so that a contribution of another type does not compile.
///
/// ```swift
/// extension ContributionPoint<Tile> {
///     static var dashboardTiles: Self { "dashboardTiles" }
/// }
/// ```
public struct ContributionPoint<Value>: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, unique among the points of an app.
    public let name: String

    /// A point made from a name that is known only at run time.
    public init(_ name: String) {
        self.name = name
    }

    /// A point made from a literal.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// The name.
    public var description: String { name }
}

/// A token that withdraws a contribution: see ``Motherboard/withdraw(_:)``.
///
/// It may be ignored: a contribution lives as long as its motherboard.
public struct ContributionToken {
    let withdraw: () -> Void
}
