public import Backplane

/// A feature's entry on the dashboard, with a link and a sentence.
///
/// ```swift
/// motherboard.contribute(to: .dashboardTiles) {
///     Tile("Campus shop", path: "/catalog", text: "Cards and books.")
/// }
/// ```
public struct Tile: Hashable, Sendable {
    /// The text of the link.
    public let title: String
    /// The target of the link, as a path.
    public let path: String
    /// A sentence about the feature.
    public let text: String

    /// Creates a tile with this title.
    public init(_ title: String, path: String, text: String) {
        self.title = title
        self.path = path
        self.text = text
    }
}

extension ContributionPoint<Tile> {
    /// The tiles of the dashboard, in the order they are shown.
    public static var dashboardTiles: Self { "dashboardTiles" }
}
