/// The typed name of a board: how the rest of an app refers to it.
///
/// The type argument carries the board's contract, so an identity is all that is needed to activate a board, to draw flows
/// from and to it and to send it commands. On one motherboard a name belongs to one contract.
///
/// ```swift
/// extension BoardID<Dashboard> {
///     static var dashboard: Self { "dashboard" }
/// }
/// ```
public struct BoardID<Contract: BoardContract>: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
{
    /// The name, unique among the boards of an app.
    public let name: String

    /// An identity made from a name that is known only at run time.
    public init(_ name: String) {
        self.name = name
    }

    /// An identity made from a literal.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// The name.
    public var description: String { name }
}

/// The name of a board whose contract does not matter: in events, errors and to tell senders apart.
public struct AnyBoardID: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let name: String

    init(name: String) {
        self.name = name
    }

    /// The identity `id` without its contract.
    public init<Contract>(_ id: BoardID<Contract>) {
        name = id.name
    }

    /// Whether this names the same board as `id`.
    public static func == <Contract>(lhs: AnyBoardID, rhs: BoardID<Contract>) -> Bool {
        lhs.name == rhs.name
    }

    /// The name.
    public var description: String { name }
}

/// One board that was made: its identity, and a number that no other board in its tree of motherboards has.
///
/// Written `course#3`.
public struct BoardInstance: Hashable, Sendable, LosslessStringConvertible {
    /// The identity the board was activated under.
    public let id: AnyBoardID
    /// The number, larger than those of boards made earlier.
    public let number: UInt64

    init(id: AnyBoardID, number: UInt64) {
        self.id = id
        self.number = number
    }

    /// The instance that is written as `description`; nil where none is.
    public init?(_ description: String) {
        // By scalars: the name may end with one that makes a single character of itself and the sign.
        let scalars = description.unicodeScalars
        guard let hash = scalars.lastIndex(of: "#"), let number = UInt64(description[scalars.index(after: hash)...])
        else { return nil }
        self.init(id: AnyBoardID(name: String(description[..<hash])), number: number)
    }

    /// The identity and the number: `course#3`.
    public var description: String { "\(id)#\(number)" }
}

extension AnyBoardID? {
    /// Whether this names the same board as `id`, for what may have no board, as an event; nil names none.
    public static func == <Contract>(lhs: Self, rhs: BoardID<Contract>) -> Bool {
        lhs?.name == rhs.name
    }
}
