// `SendableMetatype`, because generic code on any actor must be able to name a contract. That is
// not possible for a contract with an isolated conformance.

/// The types of a board's input, outputs and commands, which are all that other boards know of it.
///
/// A contract is a namespace that is never instantiated. It lives in the interface module of a
/// feature, beside the feature's ``BoardID``. So other features can name this one without importing
/// its implementation. Every message type is static. A flow between boards with different types
/// does not compile. A command that a board does not take does not compile either.
///
/// Messages need not be `Sendable`, because they never leave the actor of their motherboard.
///
/// ```swift
/// enum Dashboard: BoardContract {
///     typealias Input = User.ID
///     enum Output { case open(Course.ID), loggedOut }
///     enum Command { case refresh }
/// }
/// ```
public protocol BoardContract: SendableMetatype {
    /// The value that activates a board; `Void` by default.
    associatedtype Input = Void
    /// The values that a board sends to its motherboard; `Never` by default.
    associatedtype Output = Never
    /// The commands that other boards may send to a live board; `Never` by default.
    associatedtype Command = Never
}
