/// A name for one kind of work of a board.
///
/// Starting work under a key cancels the board's previous work under that key.
///
/// Declare keys as constants, and pass one to ``Slot/task(_:lasting:_:)``. Keys of different boards
/// are independent.
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
public struct TaskKey: Hashable, Sendable, ExpressibleByStringLiteral {
    private let name: String

    /// Creates a key with a literal as its name.
    public init(stringLiteral name: String) {
        self.name = name
    }
}

/// The time for which work of a board may run: see ``Slot/task(_:lasting:_:)``.
public enum TaskLifetime: Hashable, Sendable {
    /// The work is cancelled when the activation completes or is superseded.
    case activation
    /// The work continues when the board is activated again, and is cancelled when the board
    /// completes.
    case board
}
