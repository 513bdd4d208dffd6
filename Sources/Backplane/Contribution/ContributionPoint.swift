/// The typed name of a list to which features add values, for example the tabs of an app.
///
/// Other examples are the tiles of a dashboard and the entries of a menu. The point belongs to the
/// feature that shows the values, and lives in that feature's interface module. The type argument
/// is the type of the values. So a contribution of another type does not compile.
///
/// ```swift
/// extension ContributionPoint<Tile> {
///     static var dashboardTiles: Self { "dashboardTiles" }
/// }
/// ```
public struct ContributionPoint<Value>: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name, unique among the points of an app.
    let name: String

    /// Creates a point from a literal.
    public init(stringLiteral name: String) {
        self.name = name
    }
}
