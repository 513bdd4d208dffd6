// `SendableMetatype`, because a contract with an isolated conformance could not be named by generic code on any actor.

/// What a board takes in and gives out: the whole of what others know about it.
///
/// A contract is a namespace that is never instantiated. It lives in the interface module of a feature, beside the
/// feature's ``BoardID``, so that others can name the feature without importing it. Every type of message is static: a flow
/// between boards whose types do not fit, or a command to a board that does not take it, does not compile.
///
/// Messages need not be `Sendable`: they never leave the actor of their motherboard.
///
/// ```swift
/// enum Dashboard: BoardContract {
///     typealias Input = User.ID
///     enum Output { case open(Course.ID), loggedOut }
///     enum Command { case refresh }
/// }
/// ```
public protocol BoardContract: SendableMetatype {
    /// What a board is activated with. `Void` unless stated.
    associatedtype Input = Void
    /// What a board sends to its motherboard. `Never` unless stated.
    associatedtype Output = Never
    /// What others may tell a live board. `Never` unless stated.
    associatedtype Command = Never
}
