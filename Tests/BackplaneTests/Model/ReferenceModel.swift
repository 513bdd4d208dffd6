import Backplane

/// An executable form of the rules that is too simple to be wrong.
///
/// The model is an oracle: `ModelTests` plays random scripts on the model and on the runtime, and
/// their journals must be equal. The model is written from the rules and knows nothing of the
/// runtime. Arrays hold everything that was ever made, one queue holds everything pending, and each
/// question is answered by a search. Objects refer to one another by their positions in these
/// arrays.
///
/// - A *level* is a motherboard of the tree, and motherboard 0 is the root.
/// - A *plan* is the behavior of a registered board, and a *routine* that of a handler.
/// - A *visit* is an activation, from its call to the board that it enters.
/// - A *gate* belongs to its *home* motherboard, and its *gate board* is the ID of its gate board.
/// - A *run* is one question to a gate board, with the visits that wait for its answer.
/// - Code *acts for* a run if it is work of its gate board, or follows from its answer (B49). Only
///   the nearest runs are stored, and `causes(of:)` searches for the others.
final class ReferenceModel {
    struct Level {
        /// The board whose nested motherboard this is, `nil` for the root.
        let host: Int?
        var isCompleted = false
        var plans: [Name: Int] = [:]
        /// The gates set here, in order of registration.
        var gates: [Gate] = []
        var fallback: (number: Int, routine: Int)?
        /// B56: The entrances of the scopes registered here, by scope.
        var entrances: [Name: Gate] = [:]
        /// B56: The scopes of the boards that are declared here.
        var declared: [Name: Name] = [:]
    }

    struct MadeBoard {
        enum Phase: Equatable {
            case live
            case ended(Ending)
            case ownerGone
        }

        let name: Name
        let motherboard: Int
        let plan: Int
        /// B32: Whether this board serves one run alone, so that nothing else activates it.
        let isRunsOwn: Bool
        var phase = Phase.live
        /// Whether the initializer has returned.
        var isMade = false
        var inner: Int?
        /// The number of the latest activation, which supersedes all earlier activations.
        var activation: Int
        /// The input of the latest activation.
        var input: Int
        /// B32: The run that the latest activation answers.
        var answers: Int?
        /// B49: The runs whose work the latest activation is.
        var actsFor: [Int]
    }

    /// A gate: one call of `gate` or `gateAll`, or a scope in front of the boards inside it, or the
    /// entrance of a scope.
    struct Gate {
        /// The number of the call, `nil` for a scope.
        let number: Int?
        let home: Int
        let setting: GateSetting
        /// B56: The inputs of the scope, if this is an entrance.
        var entrance: ScopeSetting?

        var gateBoard: Name { setting.gateBoard }
    }

    /// B32: The question to a gate board.
    ///
    /// Two activations that ask the same question wait for one answer.
    struct Question: Equatable {
        /// B48: The motherboard of the rule, on which the gate board lives.
        let home: Int
        let gateBoard: Name
        /// The number of the gate, `nil` for a gate board without input.
        let rule: Int?
        let input: Int
        /// B56: Whether the question is for a live scope, whose ID is `gateBoard`.
        var isForScope = false
    }

    /// B32: A question that was asked, with the visits that wait for its answer.
    ///
    /// The run is over when no visit waits any longer.
    struct Run {
        let question: Question
        /// The visit for which the question was asked.
        let firstWaiter: Int
        /// The visits that wait in this run, in order.
        var waiters: [Int]
        /// The visit that activates the gate board.
        let gateBoardVisit: Int
        var isSuperseded = false
        /// B73: Whether somebody else has activated the entrance meanwhile.
        var isBoardOfUser = false
        var board: Int?
        var isBoardMadeForIt = false
    }

    /// An activation, with or without a handle.
    struct Visit {
        let name: Name
        /// The motherboard of the call, then that of the scope that the visit has entered.
        var motherboard: Int
        /// The input, which a scope receives from its entrance.
        var input: Int
        /// B56: Whether the visit has gone on to another motherboard, to that of its scope.
        var isInPlace = false
        /// B31: The motherboard from which it has gone on.
        var origin: Int?
        /// B56: The scope's board for which the visit has waited, so that it enters no other one.
        var scope: Int?
        /// B56: Whether this visit stands for waiting activations and has an input for its scope.
        var hasEntrance = false
        /// The place among all activations.
        var number = 0
        /// B49: The runs whose work called for this visit, some of which may be over.
        var actsFor: [Int] = []
        /// B56: The output of an entrance for which this visit enters a scope.
        var use: Int?
        /// B49: The run whose gate board this visit activates.
        var standsFor: Int?
        /// B31: The numbers of the gates that this visit has passed.
        var passed: Set<Int> = []
        /// The gate that this visit asked last.
        var gate: Gate?
        /// The run in which this visit waits.
        var run: Int?
        /// The state outside a board: waiting, or never entered.
        var outside = ActivationState.waiting
        /// The board that this visit entered, and the number of the activation.
        var inside: (board: Int, activation: Int)?
    }

    /// B56: An output of an entrance that has an input for a scope.
    struct EntranceOutput {
        /// The motherboard of the scope.
        let home: Int
        /// Whether an activation that waits for the scope, or one that waits at a gate in front of
        /// it, uses the input.
        var isUsed = false
        /// Whether the output has entered the scope or was discarded.
        var isOver = false
    }

    struct Listener {
        enum Hears: Equatable {
            case outputs(Name)
            case completions(Name)
            case actions(Signal)
            case denials
        }

        enum Does {
            /// A handler that runs a routine, and may receive the activation that ended.
            case routine(Int, tellsActivation: Bool)
            case routineAtTarget(Int, target: Int)
            case activate(Name)
            case activateMapped(Name, [Int?])
            case combine(Int)
            case judge(Bool, routine: Int)
        }

        let flow: Int
        let motherboard: Int
        let hears: Hears
        let does: Does
        var isRemoved = false
    }

    /// The outputs that a combined flow has received so far.
    struct Combination {
        let flow: Int
        let motherboard: Int
        let names: [Name]
        let keepsLatest: Bool
        let routine: Int
        var heard: [Name: Int] = [:]
    }

    /// B28: A lifetime binding of an activation, of a kept component or of both.
    struct Binding {
        let lifetime: Int
        let board: Int
        let activation: Int
        var endsActivation = false
        var keepsComponent = false
    }

    /// B52: Asynchronous work of an activation, or of its board.
    struct StartedWork {
        let board: Int
        let activation: Int
        let work: Work
        /// Whether a later work of the same key has replaced this one.
        var isReplaced = false
        var isOver = false
    }

    enum Delivery {
        /// B32: An output, with the run that the board answered when it sent the output.
        case output(Int, from: Int, for: Int?, actingFor: [Int])
        case ending(Ending, of: Int)
        /// B49: An action, with the runs that the sender acted for.
        case action(Signal, Int, from: Name?, at: Int, actingFor: [Int])
        case denial(Denial, on: Int)
        case superseded(run: Int, waiters: [Int])
        /// B56: An output of an entrance that has an input for a scope.
        case entrance(scope: Name, Int, at: Int, use: Int)
        /// The point at which a completed motherboard discards everything.
        case forget(motherboard: Int)
    }

    let script: Script
    let faults: Fault
    var journal: [Fact] = []

    var motherboards = [Level(host: nil)]
    var boards: [MadeBoard] = []
    var runs: [Run] = []
    var visits: [Visit] = []
    var listeners: [Listener] = []
    var combinations: [Combination] = []
    var bindings: [Binding] = []
    var isOver = [Bool](repeating: false, count: Script.lifetimes)
    var conditions = [Bool](repeating: false, count: Script.conditions)
    var queue: [Delivery] = []
    var isTurnOpen = false
    var isObserved = true
    /// B49: The runs that the running code acts for.
    var actingFor: [Int] = []

    var works: [StartedWork] = []
    /// The handles whose end of waiting a caller awaits.
    var awaited: [Int] = []

    /// B43: The reports of a restore, in order.
    var unrestored: [Fact] = []
    /// The snapshot that the script has saved.
    var saved: [Fact.Entry] = []
    let restores: Bool

    /// The visits whose handles a script may use.
    var handles: [Int] = []
    /// B56: The outputs of entrances, in the order of delivery.
    var uses: [EntranceOutput] = []
    /// B56: The last output that was used for each scope on each motherboard.
    var lastUses: [Int: [Name: Int]] = [:]
    var flows = 0
    var gates = 0
    var fallbacks = 0
    var activations = 0
    /// Whether each weak target is still alive.
    var targets: [Bool] = []
    var fuel = 0

    init(_ script: Script, faults: Fault) {
        self.script = script
        restores = script.restores
        self.faults = faults
    }
}
