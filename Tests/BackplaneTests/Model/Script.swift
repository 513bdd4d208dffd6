import Backplane

/// A program without branches for a root motherboard, its boards and its handlers.
///
/// A script is small enough to be generated at random, played by the model and the runtime, and
/// read by people. A reference to an earlier motherboard, board, handle or flow is a number, modulo
/// the count of such objects. Without such an object the step is skipped.
struct Script {
    /// The behavior of boards, to which registrations refer by number.
    var plans: [Plan] = []
    /// The operations of handlers, to which flows refer by number.
    var routines: [[Operation]] = []
    var entries: [Entry] = []

    /// A call from outside, on one of the existing motherboards.
    struct Entry {
        let motherboard: Int
        let operation: Operation
    }

    /// The same root motherboard without its entries from later, as an app sets it up at its start.
    var setUp: Script {
        var script = self
        script.entries = entries.filter { entry in
            guard entry.motherboard == 0 else { return false }
            return switch entry.operation {
            // A fallback would be called for boards that only a handler has registered.
            case .register, .draw, .gate, .scope, .declare: true
            default: false
            }
        }
        return script
    }

    /// Whether the script restores a snapshot.
    ///
    /// Then each board has a nested motherboard from the start, so that all have their numbers.
    var restores: Bool {
        entries.contains { if case .restore = $0.operation { true } else { false } }
    }

    /// The number of operations and steps that one entry may cause.
    ///
    /// Without this limit most scripts would run forever.
    static let fuel = 30

    /// The number of lifetimes to which boards can be bound.
    ///
    /// The last lifetime, a window, serves ``Step/keepPaired`` only. No rule then needs to define
    /// the order in which a lifetime releases different objects.
    static let lifetimes = 3
    static let window = lifetimes - 1

    /// The number of conditions that gates read in `unless:`, all of them false at first.
    static let conditions = 2
}

/// The IDs in scripts, few enough to collide.
enum Name: String, CaseIterable {
    case a, b, c, d
    /// The ID whose boards take no input.
    case void
    /// The IDs of scopes.
    case s, t

    /// The IDs of boards that are no scopes.
    static let plain: [Name] = [.a, .b, .c, .d, .void]
    static let withInput: [Name] = [.a, .b, .c, .d]

    var isScope: Bool { self == .s || self == .t }

    func input(_ number: Int) -> Int { self == .void ? 0 : number }
}

/// A comparable form of ``Completion``.
enum Ending {
    case done, cancelled, failed
}

/// Two types of flow actions.
enum Signal: CaseIterable {
    case flare, beacon
}

/// The behavior of the boards of a registration.
struct Plan {
    enum BoardReuse: CaseIterable {
        case shared, perActivation, perInput
    }

    let reuse: BoardReuse
    var whileMade: [Step] = []
    /// The steps by input and by command, modulo their count.
    var whenActivated: [[Step]] = [[]]
    var whenTold: [[Step]] = [[]]
    /// The steps in `didEnd`.
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
    /// Keeps a component for the window and pairs the board with that component.
    case keepPaired
    case count(Name)
    /// Performs an operation on the nested motherboard.
    case inside(Operation)
    /// Starts asynchronous work that waits until an entry resumes it.
    case work(Work)
    case use(Use)
}

/// Work of a board, which ignores its cancellation.
struct Work {
    /// The key whose earlier work this work replaces.
    let key: Int?
    let lastsAsBoard: Bool
    var steps: [Step]
    /// Whether the work throws an error at its end.
    let fails: Bool
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
    /// Registers the entrance of a scope; only an entry on the root does that.
    case scope(ScopeSetting)
    case declare(Name, inside: Name)
    /// A step of a board, live or ended, from outside its calls.
    case asBoard(Int, Step)
    /// The same for a board of one name, counted back from the latest, such as a late answer.
    case asLatest(Name, back: Int, Step)
    /// Lets work go on until its end; only an entry may do that.
    case resume(Int)
    case resumeLatest
    /// Saves a snapshot of the root, or restores the saved one; only an entry does that.
    case save
    case restore
    case use(Use)
}

/// A call of `gate` or `gateAll`, where `gateBoard` is the ID of the gate board.
struct GateSetting {
    enum Question: Equatable {
        /// The same question for all inputs, which is not asked while the condition is true.
        case constant(Int, unless: Int?)
        /// The question by the input of the board behind, modulo the count; `nil` asks nothing.
        case table([Int?])
    }

    /// The board behind the gate; `nil` means all boards except `exceptions`.
    let behind: Name?
    let gateBoard: Name
    var question = Question.constant(0, unless: nil)
    var exceptions: [Name] = []
    /// The verdicts by output, modulo their count.
    var verdicts: [GateVerdict] = [.open]

    func verdict(on output: Int) -> GateVerdict { verdicts.around(output) ?? .undecided }

    /// Whether this gate replaces `other` on the same motherboard.
    ///
    /// Two constant questions of a gate board with input are compared. All other questions count as
    /// equal.
    func isSame(as other: GateSetting) -> Bool {
        guard behind == other.behind, gateBoard == other.gateBoard else { return false }
        if gateBoard != .void, case (.constant(let one, _), .constant(let two, _)) = (question, other.question) {
            return one == two
        }
        return true
    }
}

/// A call of `registerScope`.
struct ScopeSetting {
    let scope: Name
    let entrance: Name
    var question = 0
    /// The inputs of the scope by output of the entrance, modulo their count.
    var inputs: [Int?] = [0, 1, 2]
    var isSwitching = false

    func input(for output: Int) -> Int? { inputs.around(output) ?? nil }
}

/// A flow of any kind.
enum Drawing {
    case handler(Name, routine: Int)
    case weak(Name, routine: Int)
    case steps([Name])
    /// A flow that maps an output to an input by number, modulo the count of inputs.
    case mapping(Name, to: Name, [Int?])
    case combined([Name], keepingLatest: Bool, routine: Int)
    case completion(Name, tellsActivation: Bool, routine: Int)
    case denial(routine: Int)
    /// A flow for actions; without a verdict, its handler returns nothing.
    case general(Signal, handling: Bool?, routine: Int)

    /// Whether a board of a scope may be a source of this flow, which is legal outside scopes only.
    var startsAtScope: Bool {
        switch self {
        case .combined(let names, _, _): names.contains(where: \.isScope)
        case .steps(let names): names.dropLast().contains(where: \.isScope)
        case .handler(let name, _), .weak(let name, _), .mapping(let name, _, _), .completion(let name, _, _):
            name.isScope
        case .denial, .general: false
        }
    }
}

/// A use of an object that an earlier call returned or received.
enum Use {
    case look(handle: Int)
    case tell(handle: Int, Int)
    case complete(handle: Int, Ending)
    case removeFlow(Int)
    case dropTarget(Int)
    case endLifetime(Int)
    /// Flips a condition.
    case flip(condition: Int)
    /// Awaits the end of a wait.
    case await(handle: Int)
}

extension Array {
    /// Returns the element at `number` modulo the count, or `nil` if the array is empty.
    func around(_ number: Int) -> Element? {
        isEmpty ? nil : self[number % count]
    }
}
