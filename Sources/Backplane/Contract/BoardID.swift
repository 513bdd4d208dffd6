/// The typed name of a board, by which the rest of an app refers to it.
///
/// The type argument is the board's contract. So an ID is enough to activate a board, to connect
/// flows to it and from it, and to send it commands. On one motherboard, a name belongs to one
/// contract.
///
/// Each contract has an ID, ``BoardContract/id``. Declare another one for a second board with the
/// same contract:
///
/// ```swift
/// motherboard.activate(Inbox.id)
/// motherboard.activate(.archive)
///
/// extension BoardID<Inbox> {
///     static var archive: Self { "archive" }
/// }
/// ```
public struct BoardID<Contract: BoardContract>: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
{
    let source: NameSource<Contract>

    /// The name, unique among the boards of an app.
    public var name: String { source.name }

    /// Creates an ID from a name that is known only at run time.
    public init(_ name: String) {
        source = NameSource(given: name)
    }

    /// Creates an ID from a literal.
    public init(stringLiteral name: String) {
        source = NameSource(given: name)
    }

    /// Creates the ID that is named after the contract.
    init() {
        source = NameSource(given: nil)
    }

    /// The name.
    public var description: String { name }
}

/// A name, or a contract that is the source of a name when somebody reads it.
///
/// Making and hashing the name would take as long as a third of an activation, so a motherboard
/// finds a board by the contract.
struct NameSource<Contract: BoardContract>: Hashable, Sendable {
    let given: String?

    var name: String { given ?? nameOfID(for: Contract.self) }

    static func == (one: Self, other: Self) -> Bool {
        one.given == nil && other.given == nil || one.name == other.name
    }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The name of a board without its contract, for events, errors and the comparison of senders.
public struct AnyBoardID: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let name: String

    init(name: String) {
        self.name = name
    }

    /// Creates the ID `id` without its contract.
    public init<Contract>(_ id: BoardID<Contract>) {
        name = id.name
    }

    /// The name.
    public var description: String { name }
}

/// One created board: its ID, and a number that is unique in its tree of motherboards.
///
/// It is written as `course#3`.
public struct BoardInstance: Hashable, Sendable, CustomStringConvertible {
    /// The ID that the board was activated under.
    public let id: AnyBoardID
    /// The number of the board, larger than the numbers of boards created earlier.
    public let number: UInt64

    init(id: AnyBoardID, number: UInt64) {
        self.id = id
        self.number = number
    }

    /// Creates the instance that `description` names; `nil` if the text is not a valid instance.
    init?(_ description: String) {
        // Split by scalars, because the last scalar of the name may combine with the number sign
        // into one character.
        let scalars = description.unicodeScalars
        guard let hash = scalars.lastIndex(of: "#"), let number = UInt64(description[scalars.index(after: hash)...])
        else { return nil }
        self.init(id: AnyBoardID(name: String(description[..<hash])), number: number)
    }

    /// The ID and the number: `course#3`.
    public var description: String { "\(id)#\(number)" }
}

extension AnyBoardID? {
    /// Returns whether both sides name the same board; `false` for `nil`, for example if an event
    /// belongs to no board.
    public static func == <Contract>(lhs: Self, rhs: BoardID<Contract>) -> Bool {
        lhs?.name == rhs.name
    }
}
