public import Backplane

/// A feature's entry on the dashboard: a link and a sentence.
///
/// ```swift
/// motherboard.contribute(to: .dashboardTiles) { Tile("Campus shop", path: "/catalog", text: "Cards and books.") }
/// ```
public struct Tile: Hashable, Sendable {
    /// The link's text.
    public let title: String
    /// The link's target, as a path.
    public let path: String
    /// A sentence about the feature.
    public let text: String

    /// A link of that name.
    public init(_ title: String, path: String, text: String) {
        self.title = title
        self.path = path
        self.text = text
    }
}

extension ContributionPoint<Tile> {
    /// The tiles of the dashboard, the first one first.
    public static var dashboardTiles: Self { "dashboardTiles" }
}
