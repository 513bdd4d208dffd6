public import Screens

/// The look of one type of screen in a terminal: its title, its text, and its commands.
///
/// A face has no state. Everything that it shows comes from the screen.
///
/// ```swift
/// public struct CounterTerminalFace: TerminalFace {
///     public enum Command: String, CaseIterable { case increment }
///
///     public func title(of counter: CounterModel) -> String { "Counter" }
///
///     public func sections(of counter: CounterModel) -> [TextSection] {
///         [TextSection("count", ["count: \(counter.count)"])]
///     }
///
///     public func handle(_ command: Command, _ arguments: EventFields, on counter: CounterModel) {
///         switch command {
///         case .increment: counter.increment()
///         }
///     }
/// }
/// ```
public protocol TerminalFace: Sendable {
    /// The type of the screens that the face shows.
    associatedtype Model: Screen
    /// The commands of the face; a raw value is the name that the user types.
    associatedtype Command: RawRepresentable<String>, CaseIterable

    /// Returns the title of the screen.
    func title(of screen: Model) -> String

    /// Returns the parts of the screen, in the order they are shown.
    func sections(of screen: Model) -> [TextSection]

    /// Performs a command of the user on the screen, with its arguments, such as `todo=abc123-2`.
    ///
    /// The face of an `EventScreen` needs no such method.
    func handle(_ command: Command, _ arguments: EventFields, on screen: Model)
}

extension TerminalFace where Model: EventScreen {
    /// Performs the action of the screen that has the name of the command.
    public func handle(_ command: Model.Event, _ arguments: EventFields, on screen: Model) {
        screen.perform(command, arguments)
    }
}
