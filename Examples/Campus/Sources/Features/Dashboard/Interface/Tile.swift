public import Backplane

/// What a feature shows of itself on the dashboard: a link, and a sentence.
///
/// ```swift
/// motherboard.contribute(to: .dashboardTiles) { Tile("Campus shop", path: "/catalogue", text: "Cards and books.") }
/// ```
public struct Tile: Hashable, Sendable {
    /// What the link is called.
    public let title: String
    /// Where it leads, as a path.
    public let path: String
    /// What there is to do.
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
