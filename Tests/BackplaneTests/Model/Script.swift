import Backplane

/// What is done on a root motherboard, from the outside and by the boards and handlers on it: a program without branches
/// that is small enough to be made at random, to be understood by two machines and to be read by people.
///
/// Whatever refers to something made earlier (a motherboard, a board, a handle, a flow) does so by number, modulo how many
/// there are; with none the step is left out.
struct Script {
    /// How boards behave; registrations refer to them.
    var plans: [Plan] = []
    /// What handlers do; flows refer to them.
    var routines: [[Operation]] = []
    var entries: [Entry] = []

    /// One call from the outside, on one of the motherboards there are.
    struct Entry {
        let motherboard: Int
        let operation: Operation
    }

    /// How many operations and steps one entry may cause; without a limit most scripts would run for ever.
    static let fuel = 30

    /// How many lifetimes there are, from the start.
    static let lifetimes = 2
}

/// The identities in scripts: few, so that they collide.
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

/// How the boards of a registration behave.
struct Plan {
    enum Reuse: CaseIterable {
        case shared, perActivation, perInput
    }

    let reuse: Reuse
    var whileMade: [Step] = []
    /// By input and by command, modulo how many there are.
    var whenActivated: [[Step]] = [[]]
    var whenTold: [[Step]] = [[]]
}

/// What a board does.
indirect enum Step {
    case send(Int)
    case action(Signal, Int)
    case next(Name, Int)
    case tell(Name, Int)
    case end(Ending)
    case pair(lifetime: Int)
    case keep(lifetime: Int)
    /// On its nested motherboard.
    case inside(Operation)
    case use(Use)
}

/// What is done on a motherboard.
enum Operation {
    case register(Name, plan: Int)
    case activate(Name, Int)
    case tell(Name, Int)
    case complete(Name, Ending)
    case completeAll
    case action(Signal, Int)
    case draw(Drawing)
    /// The verdict on an output is the one at its number, modulo how many there are.
    case gate(Name, by: Name, input: Int, verdicts: [GateVerdict])
    case gateAll(by: Name, input: Int, except: [Name], verdicts: [GateVerdict])
    case fallback(routine: Int)
    /// A board, ended or not, does something of its own accord.
    case asBoard(Int, Step)
    case use(Use)
}

/// A flow of one sort or another.
enum Drawing {
    case handler([Name], routine: Int)
    case weak(Name, routine: Int)
    case steps([Name])
    /// The input for an output is the one at its number, modulo how many there are.
    case mapping(Name, to: Name, [Int?])
    case combined([Name], CombineStrategy, routine: Int)
    case completion(Name, routine: Int)
    /// Without a verdict, a handler that returns nothing.
    case general(Signal, ActionVerdict?, routine: Int)
}

/// What is done with something that an earlier call returned, or that it was given.
enum Use {
    case look(handle: Int)
    case tell(handle: Int, Int)
    case complete(handle: Int, Ending)
    case removeFlow(Int)
    case dropTarget(Int)
    case endLifetime(Int)
}

extension Array {
    /// The element at `number`, modulo how many there are.
    func around(_ number: Int) -> Element? {
        isEmpty ? nil : self[number % count]
    }
}
