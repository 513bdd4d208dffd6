import Backplane

/// A public member of a type that a slot leads to, and a use of the member.
///
/// The lists of doors are compared with the public API: a member without a door fails a test.
struct Door: Sendable, CustomStringConvertible {
    /// The type, as the API names it.
    let type: String
    /// The member, as ``PublicMembers`` names it.
    let member: String
    /// Uses the member, and describes the result if there is one.
    let use: Use

    enum Use: Sendable {
        case call(@Sendable (Keys) -> String)
        /// Waits with the given isolation.
        case wait(@Sendable (Keys, isolated (any Actor)?) async -> String)
    }

    init(_ type: String, _ member: String, _ use: @escaping @Sendable (Keys) -> Void) {
        self.init(type, reading: member) { keys in
            use(keys)
            return ""
        }
    }

    init(_ type: String, reading member: String, _ use: @escaping @Sendable (Keys) -> String) {
        self.type = type
        self.member = member
        self.use = .call(use)
    }

    init(
        _ type: String,
        waiting member: String,
        _ use: @escaping @Sendable (Keys, isolated (any Actor)?) async -> String
    ) {
        self.type = type
        self.member = member
        self.use = .wait(use)
    }

    /// Uses the member on the caller's actor.
    func enter(with keys: Keys, isolation: isolated (any Actor)? = #isolation) async -> String {
        switch use {
        case .call(let use): use(keys)
        case .wait(let use): await use(keys, isolation)
        }
    }

    var description: String { "\(type).\(member)" }

    /// All doors.
    static let all = slotDoors + boardDoors + busDoors + activationDoors + setupDoors + messageDoors + linkDoors

    /// The members without a door, with the reason; a member may be named several times.
    static let without: [(type: String, member: String, reason: String)] = [
        ("Activation", "==(lhs:rhs:)", "compares references"),
        ("Activation", "var id", "reads a constant"),
        ("Board", "didEnd(_:)", "called by the motherboard"),
        ("Board", "receive(_:)", "called by the motherboard"),
        ("BoardOutputs", "makeAsyncIterator()", "has no effect before `next`"),
        ("BoardOutputs.AsyncIterator", "next()", "reads a buffer that knows no motherboard"),
        ("BoardOutputs.AsyncIterator", "next()", "reads a buffer that knows no motherboard"),
        ("OpenedLink", "var description", "reads `result`"),
        ("Motherboard", "init(owner:turnBudget:clock:printsProblems:)", "makes a motherboard"),
        ("Motherboard", "init(turnBudget:clock:printsProblems:)", "makes a motherboard"),
        ("Motherboard", "onMain(turnBudget:clock:printsProblems:)", "makes a motherboard"),
        ("Slot", "var id", "reads a constant"),
        ("Slot", "var owner", "reads a constant"),
    ]

    /// The types whose values stay on one actor but lead to no motherboard, or only as an argument
    /// of a door.
    static let harmlessTypes: Set = [
        "FlowSteps", "Registration", "TypedBoardEvent",
    ]
}

/// The objects that a door may need, made when a door asks for them.
final class Keys {
    let slot: Slot<Numbers>
    let journal: Journal
    /// A screen whose lifetime ends after the use.
    let screen = Screen()
    let makeMotherboard: () -> Motherboard
    let makeActivation: () -> Activation<Numbers>
    let makeLink: () -> OpenedLink
    let bus: Bus<Int>
    /// Registrations on the motherboard, if they were made before the use.
    var registrations: (flow: Registration, contribution: Registration, observation: Registration)?
    /// The tasks that a door has started.
    var tasks: [Task<Void, Never>] = []
    /// A component that lives as long as something keeps it.
    private(set) weak var component: Component?

    var motherboard: Motherboard { makeMotherboard() }
    var board: ProbeBoard<Numbers> { ProbeBoard(slot: slot) }

    init(
        slot: Slot<Numbers>,
        bus: Bus<Int>,
        journal: Journal = Journal(),
        motherboard: @escaping () -> Motherboard,
        activation: @escaping () -> Activation<Numbers>,
        link: @escaping () -> OpenedLink
    ) {
        self.slot = slot
        self.bus = bus
        self.journal = journal
        makeMotherboard = motherboard
        makeActivation = activation
        makeLink = link
    }

    var flow: Registration { registrations?.flow ?? motherboard.registerFlow(from: .first) { _, _ in } }
    var contribution: Registration { registrations?.contribution ?? motherboard.contribute(to: .numbers) { 1 } }
    var observation: Registration { registrations?.observation ?? motherboard.observe { _ in } }

    func makeComponent() -> Component {
        let made = Component()
        component = made
        return made
    }
}

extension ContributionPoint<Int> {
    static var numbers: Self { "numbers" }
}

extension TaskKey {
    static let doors: Self = "doors"
}
