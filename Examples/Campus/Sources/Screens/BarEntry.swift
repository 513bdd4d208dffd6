public import Backplane

/// A link in the bar that a host shows on every page.
///
/// A feature adds its own link:
///
/// ```swift
/// motherboard.contribute(to: .barEntries, order: 20) { BarEntry("Shop", path: Catalog.path) }
/// ```
public struct BarEntry: Hashable, Sendable {
    /// The text of the link.
    public let title: String
    /// The target of the link, as a path: see ``Screen/path``.
    public let path: String

    /// Creates a link with this title.
    public init(_ title: String, path: String) {
        self.title = title
        self.path = path
    }
}

extension ContributionPoint<BarEntry> {
    /// The entries of a window's bar, from left to right.
    public static var barEntries: Self { "barEntries" }
}
