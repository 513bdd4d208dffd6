import Backplane
public import Observation

/// The places of one tab, or of a layer without tabs: a root, and the places pushed onto it.
///
/// A host draws the root and the ``path``, and reports when the user goes back.
///
/// **Isolation.** A stack belongs to the actor of its navigator, and is not `Sendable`.
public final class Stack<Screen>: Identifiable {
    /// The ID of the stack; no other place, layer, stack or dialog in the process has ever had it.
    public let id = newID()

    private let changes = Changes()
    /// The root, read without observation.
    private(set) var lowest: Place<Screen>?
    /// The places above the root, read without observation.
    private(set) var pushed: [Place<Screen>] = []
    /// The root for whose appearance the path waits.
    private var awaitedRoot: Place<Screen>?
    /// Whether the host has shown the stack, so that a new root is an update and no first drawing.
    private(set) var hasAppeared = false
    private weak var navigator: Navigator<Screen>?

    init(root: Place<Screen>?, in navigator: Navigator<Screen>) {
        lowest = root
        self.navigator = navigator
    }

    /// The lowest place; `nil` only in the base of a navigator that shows nothing yet.
    public var root: Place<Screen>? {
        changes.access()
        return lowest
    }

    /// Whether the host may have drawn the stack, although its report may not have come yet.
    var mayBeDrawn: Bool { hasAppeared || lowest != nil }

    /// Changes the root, and makes the path wait until the host shows it.
    func setRoot(_ root: Place<Screen>?, awaited: Bool) {
        hasAppeared = mayBeDrawn
        changes.notify {
            lowest = root
            awaitedRoot = awaited ? root : nil
        }
    }

    /// Publishes the path if it waits for this root.
    func rootAppeared(_ root: Place<Screen>) {
        guard awaitedRoot === root else { return }
        changes.notify { awaitedRoot = nil }
    }

    /// The places above the root, the lowest first.
    ///
    /// A host that writes this property reports what the user did. If the new value is the
    /// beginning of the current one, the user has dismissed the other places. An equal value
    /// changes nothing. Any other value is refused: the property keeps its value, and publishes it
    /// again so that the host shows it.
    ///
    /// SwiftUI loses a path that changes in the same update as the root. So after a change of the
    /// root, the path stays empty until the host calls ``Place/appeared()`` of the new root, for 3
    /// s at most. This does not apply to the first root of a stack that has not appeared. During
    /// this time, ``places`` has all places. A host without transitions never waits.
    public var path: [Place<Screen>] {
        get {
            changes.access()
            return awaitedRoot == nil ? pushed : []
        }
        set { self[path: (awaitedRoot == nil ? pushed : []).map(\.id)] = newValue }
    }

    /// The places above the root, for a binding of a host.
    ///
    /// A written value is a report as with ``path``. It is about the places that the host shows: if
    /// these have left, for example because the report is repeated, no other place leaves.
    ///
    /// - Parameter shown: the IDs of the places above the root that the host shows.
    package subscript(path shown: [Place<Screen>.ID]) -> [Place<Screen>] {
        get { path }
        set { navigator?.report(path: newValue, shown: shown, of: self) }
    }

    /// The root and all places above it, the lowest first.
    public var places: [Place<Screen>] {
        changes.access()
        return (lowest.map { [$0] } ?? []) + pushed
    }

    /// The highest place.
    var top: Place<Screen>? {
        changes.access()
        return pushed.last ?? lowest
    }

    /// Reports that the host shows this stack, for example after the user selected its tab.
    ///
    /// The stack publishes ``path`` again, because a host may miss changes of a stack that it does
    /// not show.
    public func appeared() {
        hasAppeared = true
        publish()
    }

    /// Notifies the observers, although nothing has changed.
    func publish() { changes.notify {} }

    /// Changes ``path`` in one write.
    func change(_ body: (inout [Place<Screen>]) -> Void) {
        changes.notify { body(&pushed) }
    }
}

extension Stack: Observable {}
