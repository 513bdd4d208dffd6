#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Motherboard {
    /// Opens a link that the system gives as a URL.
    ///
    /// Otherwise as ``open(_:)-(String)``. `URL` percent-encodes some text that the other form
    /// refuses, such as spaces.
    ///
    /// ```swift
    /// .onOpenURL { url in motherboard.open(url) }
    /// ```
    ///
    /// - Parameter url: the link; a relative one is resolved against its base.
    /// - Returns: a handle on the link, with its outcome so far.
    @discardableResult
    public func open(_ url: URL) -> LinkActivation {
        open(url.absoluteString)
    }

    /// The links of the screens below the one that `url` leads to, outermost first.
    ///
    /// Otherwise as ``parents(of:)-(String)``.
    ///
    /// - Parameter url: the link; a relative one is resolved against its base.
    /// - Returns: the parents' links; none when `url` has no parents, leads nowhere or is
    ///   malformed.
    public func parents(of url: URL) -> [String] {
        parents(of: url.absoluteString)
    }
}
