import Foundation

/// The confirmed changes of an account, which each of its windows reports to all of them.
///
/// A window reports a change after the server has confirmed it, because earlier loads may not
/// include the change.
///
/// ```swift
/// for await change in await account.changes.reports() { reload(change.subject) }
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
        /// The user: a load has found another name or address.
        case user
    }

    /// The identity of a window.
    public struct Window: Hashable, Sendable {
        private let id = UUID()

        /// Creates the identity of one window.
        public init() {}
    }

    /// A confirmed change.
    public struct Report: Hashable, Sendable {
        /// The data that has changed.
        public let subject: Subject
        /// The window in which the user made the change.
        public let window: Window
    }

    private var listeners: [Int: AsyncStream<Report>.Continuation] = [:]
    private var listenerCount = 0

    /// Creates the changes of an account; no window listens yet.
    public init() {}

    /// Returns the changes that any window reports from now on.
    ///
    /// - Returns: a stream that ends when the listening task is cancelled.
    public func reports() -> AsyncStream<Report> {
        let (stream, reports) = AsyncStream<Report>.makeStream()
        listenerCount += 1
        let number = listenerCount
        listeners[number] = reports
        reports.onTermination = { [weak self] _ in
            Task { await self?.remove(number) }
        }
        return stream
    }

    /// Tells all windows that the server has confirmed a change.
    public func report(_ subject: Subject, from window: Window) {
        for listener in listeners.values { listener.yield(Report(subject: subject, window: window)) }
    }

    private func remove(_ listener: Int) {
        listeners[listener] = nil
    }
}
