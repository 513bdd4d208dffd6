#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Motherboard {
    /// Opens a link that the system passes as a URL.
    ///
    /// Everything else is the same as for ``open(_:)-(String)``. `URL` percent-encodes some text
    /// that the string form refuses, such as spaces.
    ///
    /// ```swift
    /// .onOpenURL { url in motherboard.open(url) }
    /// ```
    ///
    /// - Parameter url: the link. A relative URL is resolved against its base.
    /// - Returns: a handle to the link, with its current result.
    @discardableResult
    public func open(_ url: URL) -> OpenedLink {
        open(url.absoluteString)
    }

    /// Returns whether a registered template matches `url`.
    ///
    /// Everything else is the same as for ``canOpen(_:)-(String)``.
    ///
    /// - Parameter url: the link. A relative URL is resolved against its base.
    /// - Returns: whether a template matches.
    public func canOpen(_ url: URL) -> Bool {
        canOpen(url.absoluteString)
    }
}
