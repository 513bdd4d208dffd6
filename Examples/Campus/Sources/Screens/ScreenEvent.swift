public import Foundation

/// An action of the user on a screen, with a name and fields.
///
/// A host passes it to the face of the screen, which performs the action. It comes from outside,
/// and can be unknown, malformed or forged.
public struct ScreenEvent: Sendable {
    /// The identity of the event that the current task handles, also in tasks that it has started;
    /// `nil` if the event has none, or if there is no event.
    ///
    /// All events with one identity ask for the same change. A page repeats an event without a
    /// response, also to a host that has started again in the meantime. The identity is the same
    /// then. A change that must not be made twice takes it for its key.
    @TaskLocal public static var identity: UUID?

    /// The name of the action: `tick`, `retry`, `save`.
    public let name: String

    /// The received fields.
    public let fields: EventFields

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: the name of the action.
    ///   - fields: the fields of the event.
    public init(name: String, fields: [String: String] = [:]) {
        self.name = name
        self.fields = EventFields(fields)
    }
}

extension ScreenEvent: CustomStringConvertible {
    /// The event's name and the names of its fields, without their contents, which may be a
    /// password.
    public var description: String { "\(name)(\(fields))" }
}
