public import Backplane

/// One position in a ``Navigator``, with the screen that is shown there.
///
/// The board behind a screen pairs itself with the place, and each ends with the other. The place's
/// lifetime ends when the place leaves the navigator, for any reason: the user swipes back, a sheet
/// is pulled down, or code dismisses it. The board then completes as cancelled.
///
/// ```swift
/// pair(with: navigator.push(.course(id)))
/// ```
///
/// **Isolation.** A place belongs to the actor of its navigator, and is not `Sendable`.
public final class Place<Screen>: LifetimeOwner {
    /// The ID of the place; no other place, layer, stack or dialog in the process has ever had it.
    public let id = newID()

    /// The screen, as it was given to the navigator.
    public let screen: Screen

    /// The lifetime that ends when the place leaves the navigator.
    public let lifetime = Lifetime()

    /// Whether the place has left because the user went back, closed a sheet or selected the
    /// current tab again.
    ///
    /// It is set before the lifetime ends. It is `false` for a place that code has removed.
    public var isDismissedByUser: Bool { dismissal == .byUser }

    /// The reason why the place has left the navigator; `nil` while the place is there.
    package internal(set) var dismissal: DismissalReason?

    private weak var navigator: Navigator<Screen>?

    init(_ screen: Screen, in navigator: Navigator<Screen>) {
        self.screen = screen
        self.navigator = navigator
    }

    /// Reports that the host shows the place.
    ///
    /// Only the root of a stack needs this report: see ``Stack/path``. For other places, and after
    /// the place has left, the report does nothing.
    public func appeared() { navigator?.reportAppearance(of: self) }

    /// Removes the place.
    ///
    /// The places that are pushed above it stay, because they belong to other boards. The root of a
    /// sheet or cover leaves with its whole layer, and with all layers above. If the root of the
    /// base leaves, the place above it becomes the root. A place that has left changes nothing.
    public func dismiss() { navigator?.dismiss(self) }

    /// Removes the place because its board has ended.
    func leave() { navigator?.leave(self) }
}

/// A reason why a ``Place`` left its navigator.
package enum DismissalReason {
    /// Code called a method of the navigator.
    case ordered
    /// The user went back, closed a sheet or selected the current tab again.
    case byUser
}

extension Place: Identifiable {}

extension Place: Hashable {
    /// Returns whether both are the same place; two places may show equal screens.
    public static func == (lhs: Place, rhs: Place) -> Bool { lhs === rhs }

    /// Hashes the identity of the place.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
