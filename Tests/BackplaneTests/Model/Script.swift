import Backplane

/// A program without branches for a root motherboard, the boards and the handlers on it.
///
/// It is small enough to be made at random, played by two machines and read by people. References
/// to something made earlier (a motherboard, a board, a handle, a flow) are numbers, modulo how
/// many there are; with none the step is left out.
struct Script {
    /// The behavior of boards; registrations refer to them.
    var plans: [Plan] = []
    /// The operations of handlers; flows refer to them.
    var routines: [[Operation]] = []
    var entries: [Entry] = []

    /// One call from the outside, on one of the motherboards there are.
    struct Entry {
        let motherboard: Int
        let operation: Operation
    }

    /// The number of operations and steps that one entry may cause; without a limit most scripts
    /// would run for ever.
    static let fuel = 30

    /// The number of lifetimes to binding boards to.
    ///
    /// The last one, a window, serves ``Step/keepPaired`` only, so that no rule needs to say in
    /// which order a lifetime lets go of different things.
    static let lifetimes = 3
    static let window = lifetimes - 1

    /// The number of conditions that a gate's `unless:` reads; all are false at first.
    static let conditions = 2
}

/// The IDs in scripts: few, so that they collide.
enum Name: String, CaseIterable {
    case a, b, c, d
    /// The one whose boards take no input.
    case void

    static let withInput: [Name] = [.a, .b, .c, .d]

    func input(_ number: Int) -> Int { self == .void ? 0 : number }
}

/// A ``Completion`` that can be compared.
enum Ending {
    case done, cancelled, failed
}

/// Two types of action.
enum Signal: CaseIterable {
    case flare, beacon
}

/// The behavior of the boards of a registration.
struct Plan {
    enum Reuse: CaseIterable {
        case shared, perActivation, perInput
    }

    let reuse: Reuse
    var whileMade: [Step] = []
    /// By input and by command, modulo how many there are.
    var whenActivated: [[Step]] = [[]]
    var whenTold: [[Step]] = [[]]
    /// Performed in `didEnd`.
    var whenEnded: [Step] = []
}

/// A step of a board.
indirect enum Step {
    case send(Int)
    case action(Signal, Int)
    case next(Name, Int)
    case tell(Name, Int)
    case end(Ending)
    case pair(lifetime: Int)
    case keep(lifetime: Int)
    /// Keeps a component for the window and ends with that component.
    case keepPaired
    case count(Name)
    /// On its nested motherboard.
    case inside(Operation)
    case use(Use)
}

/// An operation on a motherboard.
enum Operation {
    case register(Name, plan: Int)
    case activate(Name, Int)
    case tell(Name, Int)
    case complete(Name, Ending)
    /// Ends all boards of the motherboard.
    case completeAllBoards
    /// Ends the motherboard itself.
    case endMotherboard
    case count(Name)
    case action(Signal, Int)
    case draw(Drawing)
    case gate(GateSetting)
    case fallback(routine: Int)
    /// A board, ended or not, does something of its own accord.
    case asBoard(Int, Step)
    /// The same for a board of one name, counted back from the latest: a late answer of a gate.
    case asLatest(Name, back: Int, Step)
    case use(Use)
}

/// One call of `gate` or `gateAll`.
struct GateSetting {
    enum Question: Equatable {
        /// The same for all; not asked while the condition is true.
        case constant(Int, unless: Int?)
        /// By the input of what is entered, modulo how many there are; nil asks nothing.
        case table([Int?])
    }

    /// The board that the gate is in front of; nil means all boards but those in `exceptions`.
    let behind: Name?
    let front: Name
    var question = Question.constant(0, unless: nil)
    var exceptions: [Name] = []
    /// The verdict on an output is the one at its number, modulo how many there are.
    var verdicts: [GateVerdict] = [.open]

    func verdict(on output: Int) -> GateVerdict { verdicts.around(output) ?? .undecided }

    /// Whether this gate replaces `other` on the same motherboard.
    ///
    /// Two constant questions of a front with input can be compared, all others count as the same.
    func isSame(as other: GateSetting) -> Bool {
        guard behind == other.behind, front == other.front else { return false }
        if front != .void, case (.constant(let one, _), .constant(let two, _)) = (question, other.question) {
            return one == two
        }
        return true
    }
}

/// A flow of one sort or another.
enum Drawing {
    case handler([Name], routine: Int)
    case weak(Name, routine: Int)
    case steps([Name])
    /// The input for an output is the one at its number, modulo how many there are.
    case mapping(Name, to: Name, [Int?])
    case combined([Name], CombineStrategy, routine: Int)
    case completion(Name, tellsActivation: Bool, routine: Int)
    case denial(routine: Int)
    /// Without a verdict, a handler that returns nothing.
    case general(Signal, FlowActionVerdict?, routine: Int)
}

/// A use of something that an earlier call returned, or that it was given.
enum Use {
    case look(handle: Int)
    case tell(handle: Int, Int)
    case complete(handle: Int, Ending)
    case removeFlow(Int)
    case dropTarget(Int)
    case endLifetime(Int)
    /// TurnScheduler a condition into its opposite.
    case flip(condition: Int)
}

extension Array {
    /// The element at `number`, modulo how many there are.
    func around(_ number: Int) -> Element? {
        isEmpty ? nil : self[number % count]
    }
}
