import Foundation

/// The confirmed changes of an account, which each of its windows reports to the other windows.
///
/// A window reports a change after the server has confirmed it, because earlier loads may not
/// include the change.
///
/// ```swift
/// for await subject in await account.changes.fromOthers(than: window) { reload(subject) }
/// ```
public actor AccountChanges {
    /// The kind of data that has changed.
    public enum Subject: Hashable, Sendable {
        /// The to-dos of any course.
        case todos
        /// The sent messages.
        case messages
        /// The user's favorites.
        case favorites
    }

    /// The identity of a window.
    public struct Window: Hashable, Sendable {
        private let id = UUID()

        /// Creates the identity of one window.
        public init() {}
    }

    private struct Listener {
        let window: Window
        let subjects: AsyncStream<Subject>.Continuation
    }

    private var listeners: [Int: Listener] = [:]
    private var listenerCount = 0

    /// Creates the changes of an account; no window listens yet.
    public init() {}

    /// Returns the subjects that other windows report from now on.
    ///
    /// - Parameter window: the window that listens.
    /// - Returns: a stream that ends when the listening task is cancelled.
    public func fromOthers(than window: Window) -> AsyncStream<Subject> {
        let (stream, subjects) = AsyncStream<Subject>.makeStream()
        listenerCount += 1
        let number = listenerCount
        listeners[number] = Listener(window: window, subjects: subjects)
        subjects.onTermination = { [weak self] _ in
            Task { await self?.remove(number) }
        }
        return stream
    }

    /// Tells all other windows that the server has confirmed a change.
    public func report(_ subject: Subject, from window: Window) {
        for listener in listeners.values where listener.window != window { listener.subjects.yield(subject) }
    }

    private func remove(_ listener: Int) {
        listeners[listener] = nil
    }
}
