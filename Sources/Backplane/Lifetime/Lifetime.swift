import BackplaneConcurrency

/// The lifetime of an object, to which you can tie boards and components.
///
/// Use it with ``Slot/pair(with:)`` and ``Slot/keep(_:for:)``. It ends when you call ``end()`` or
/// when its last reference is released. So if only one object holds a lifetime, the release of this
/// object ends the lifetime. You can use a lifetime from any thread.
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

    /// Creates a lifetime that has not ended.
    public init() {}

    deinit {
        end()
    }

    /// Ends the lifetime, and ends the boards and components that are tied to it, in the order in
    /// which they were tied.
    ///
    /// If a board or component lives on the actor that calls this, its end happens at once.
    /// Otherwise it happens after one hop to its actor. Before macOS 26, iOS 26 and the matching
    /// systems, it always happens after one hop, because code cannot find out there which actor it
    /// runs on. If your code knows its actor, call ``end(isolation:)``. In both cases, everything
    /// on one actor ends in that order. A second call does nothing.
    public func end() {
        OwnerCall.callAll(takeCalls())
    }

    /// Ends the lifetime from code that runs on an actor, so that boards on that actor end at once.
    ///
    /// Unlike ``end()`` this is synchronous on every system: boards and components on `isolation`
    /// have ended when it returns. Boards and components on other actors end as with ``end()``.
    /// Everything on one actor ends in the order in which it was tied. A second call does nothing.
    ///
    /// ```swift
    /// @MainActor func close(_ screen: CourseScreen) {
    ///     screen.lifetime.end(isolation: MainActor.shared)
    ///     // The board that is paired with the screen has completed.
    /// }
    /// ```
    ///
    /// - Parameter isolation: the actor on which the caller runs.
    public func end(isolation: isolated any Actor) {
        OwnerCall.callAll(takeCalls(), isolation: isolation)
    }

    /// Marks the lifetime as over and returns its calls in the order of tying.
    private func takeCalls() -> [OwnerCall] {
        let calls = state.withLock { state in
            let calls = state.calls
            state = State(isOver: true)
            return calls
        }
        return calls.isEmpty ? [] : calls.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Makes `call` at the end of the lifetime, or now if it has ended; must be called on the actor
    /// of `call`.
    ///
    /// - Returns: a key for ``forget(_:)``.
    func atEnd(_ call: OwnerCall) -> Int {
        let key = state.withLock { state in
            state.lastKey += 1
            if !state.isOver { state.calls[state.lastKey] = call }
            return state.isOver ? 0 : state.lastKey
        }
        // Without a hop on every system, because the caller is on the actor.
        if key == 0 { call.now() }
        return key
    }

    /// The number of calls that the end will make.
    var callCount: Int { state.withLock { $0.calls.count } }

    func forget(_ key: Int) {
        // Returned out of the lock, so that the call is released after the lock is free.
        _ = state.withLock { $0.calls.removeValue(forKey: key) }
    }
}

/// An object with a ``Lifetime``, for example a screen, a window or a session.
public protocol LifetimeOwner: AnyObject {
    /// The object's lifetime; implement it as a stored constant.
    var lifetime: Lifetime { get }
}
