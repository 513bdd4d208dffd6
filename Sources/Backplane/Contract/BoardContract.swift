import BackplaneConcurrency

// `SendableMetatype`, because generic code on any actor must be able to name a contract. That is
// not possible for a contract with an isolated conformance.

/// The types of a board's input, outputs and commands, which are all that other boards know of it.
///
/// A contract is a namespace that is never instantiated. It lives in the interface module of a
/// feature. So other features can name this one, by its ``id``, without importing its
/// implementation. Every message type is static. A flow between boards with different types
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

    /// The ID of the board with this contract.
    ///
    /// By default, its name is the name of the type without its module, beginning with a small
    /// letter: `Dashboard.id` is `"dashboard"`, and `CourseBoard.Contract.id` is
    /// `"courseBoard.Contract"`. The name is the same in each process. It appears in logs and
    /// snapshots, so give the contract an ID of its own before you rename the type:
    ///
    /// ```swift
    /// enum Overview: BoardContract {
    ///     static let id: BoardID<Self> = "dashboard"
    /// }
    /// ```
    ///
    /// A `static let` does not make the board faster: the default ID is found by its type.
    ///
    /// In a module whose default isolation is the main actor, write `nonisolated static let`.
    ///
    /// If two modules have contracts of the same name, also give one of them an ID of its own. On
    /// one motherboard and its nested ones, a name belongs to one contract, so registering both
    /// contracts traps. A second board with the same contract needs a second ID: see ``BoardID``.
    static var id: BoardID<Self> { get }
}

extension BoardContract {
    /// The ID whose name is the name of the type, beginning with a small letter.
    public static var id: BoardID<Self> { BoardID() }
}

/// The names that were made before, because making one takes longer than activating a board.
private let namesOfIDs = Locked<[ObjectIdentifier: String]>([:])

/// Returns the name of a contract's default ID.
func nameOfID(for contract: any BoardContract.Type) -> String {
    let type = ObjectIdentifier(contract)
    if let name = namesOfIDs.withLock({ $0[type] }) { return name }
    let name = typeName(of: contract)
    namesOfIDs.withLock { $0[type] = name }
    return name
}

/// Returns the name of a type without its module, beginning with a small letter: `urlPicker` for
/// `URLPicker`.
private func typeName(of type: any BoardContract.Type) -> String {
    var name = String(reflecting: type)
    // Swift writes an address into the name of a private type. Looking for it is cheaper than
    // removing.
    if name.contains("(") { name = actionName(of: type) }
    let local = name.firstIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
    let capitals = local.prefix(while: \.isUppercase).count
    // The last of several capitals begins the next word, unless the word ends there.
    let startsWord = capitals > 1 && local.dropFirst(capitals).first?.isLowercase == true
    let lowered = startsWord ? capitals - 1 : capitals
    return local.prefix(lowered).lowercased() + local.dropFirst(lowered)
}
