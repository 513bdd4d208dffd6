import BackplaneConcurrency

/// The lifetime of an object, which boards and components can be tied to: see ``Slot/pair(with:)`` and ``Slot/keep(_:for:)``.
///
/// It ends when ``end()`` is called or, without that, when the last reference to it goes; so an object that simply holds one
/// ends it by going away. May be used from any thread.
///
/// ```swift
/// @MainActor final class CourseScreen: LifetimeOwner {
///     let lifetime = Lifetime()
/// }
/// ```
public final class Lifetime: Sendable {
    private struct State {
        var isOver = false
        var lastKey = 0
        var calls: [Int: OwnerCall] = [:]
    }

    private let state = Locked(State())

    /// A lifetime that has begun.
    public init() {}

    deinit {
        end()
    }

    /// Ends the lifetime; what is tied to it ends in the order in which it was tied.
    ///
    /// At once for what lives on the actor this is called on, otherwise after one hop to its actor;
    /// before macOS 26, iOS 26 and their siblings, where code cannot tell which actor it is on,
    /// always after one hop. The order holds for what lives on one actor, either way. A second end
    /// does nothing.
    public func end() {
        let calls = state.withLock { state in
            let calls = state.calls
            state = State(isOver: true)
            return calls
        }
        if calls.isEmpty { return }
        OwnerCall.callAll(calls.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Has `call` made at the end, or now if that has come.
    ///
    /// - Returns: a key for ``forget(_:)``.
    func atEnd(_ call: OwnerCall) -> Int {
        let key = state.withLock { state in
            state.lastKey += 1
            if !state.isOver { state.calls[state.lastKey] = call }
            return state.isOver ? 0 : state.lastKey
        }
        if key == 0 { call() }
        return key
    }

    /// How many calls are to be made at the end.
    var callCount: Int { state.withLock { $0.calls.count } }

    func forget(_ key: Int) {
        // Returned, so that it is let go of when the lock is free.
        _ = state.withLock { $0.calls.removeValue(forKey: key) }
    }
}

/// Something that has a ``Lifetime``: a screen, a window, a session.
public protocol LifetimeOwner: AnyObject {
    /// The object's lifetime; a stored constant.
    var lifetime: Lifetime { get }
}
