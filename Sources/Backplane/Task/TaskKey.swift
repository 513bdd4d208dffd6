/// A name for one kind of work of a board.
///
/// Starting work under a key cancels the board's earlier work of that key.
///
/// Declare keys as constants and pass one to ``Slot/task(_:lasting:_:)``. Keys of different boards
/// never meet.
///
/// ```swift
/// extension TaskKey {
///     static let search: Self = "search"
/// }
///
/// func receive(_ command: Search.Command) {
///     task(.search) { self.show(try await self.find(command.text)) }
/// }
/// ```
public struct TaskKey: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The key's name.
    public let name: String

    /// The key's name.
    public var description: String { name }

    /// A key with a name.
    public init(_ name: String) {
        self.name = name
    }

    /// A key with a name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// The part of a board's life that work belongs to: see ``Slot/task(lasting:_:)``.
public enum TaskLifetime: Hashable, Sendable {
    /// The work is cancelled when the activation completes or is superseded.
    case activation
    /// The work goes on when the board is activated again, and is cancelled when the board
    /// completes.
    case board
}
