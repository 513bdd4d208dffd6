import Backplane

/// The rules as a program too simple to be wrong: arrays hold everything that was ever made, one
/// queue holds everything pending, and each question is answered by a search through all there is.
///
/// It is written from the rules and knows nothing of the runtime.
final class ReferenceModel {
    struct Level {
        /// The board this motherboard is inside of.
        let host: Int?
        var isCompleted = false
        var plans: [Name: Int] = [:]
        /// The gates set here, in order of registration.
        var gates: [Gate] = []
        var fallback: (number: Int, routine: Int)?
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
        /// B32: Whether one run has this board for itself; nothing else activates it.
        let isRunsOwn: Bool
        var phase = Phase.live
        /// Whether its initializer has returned.
        var isMade = false
        var inner: Int?
        /// The latest activation of this board, which alone may speak for it.
        var activation: Int
        /// B32: The run that the latest activation answers.
        var answers: Int?
        /// B49: The runs that the latest activation acts for.
        var actsFor: [Int]
    }

    /// A rule: one call of `gate` or `gateAll`.
    struct Gate {
        let number: Int
        let home: Int
        let setting: GateSetting

        var front: Name { setting.front }
    }

    /// B32: One question under way at a front.
    struct Run {
        /// The rule that made the first waiter ask.
        let gate: Gate
        let input: Int
        /// B49: The runs that cannot go on before this one, as far as its first waiter tells.
        let causes: [Int]
        /// B49: The runs that the front's board acts for: this one, and those its first waiter
        /// acts for.
        let actsFor: [Int]
        /// The visits that wait in it, in order.
        var waiters: [Int]
        var isSuperseded = false
        /// The visit that brings the front's board about.
        var frontVisit: Int?
        var board: Int?
        var isBoardMadeForIt = false
    }

    /// One activation, with a handle or without.
    struct Visit {
        let name: Name
        let motherboard: Int
        let input: Int
        /// B49: The runs that it acts for, some of which may be over.
        var actsFor: [Int] = []
        /// B49: The run whose board this visit is to bring about.
        var standsFor: Int?
        /// B31: The numbers of the gates that it has passed.
        var passed: Set<Int> = []
        /// The gate that it asked last.
        var gate: Gate?
        /// The run in which it waits.
        var run: Int?
        /// Its state outside the board: waiting, or never inside.
        var outside = ActivationState.waiting
        /// The board it came to, and as which activation.
        var inside: (board: Int, activation: Int)?
    }

    struct Listener {
        enum Hears: Equatable {
            case outputs(Name)
            case completions(Name)
            case actions(Signal)
            case denials
        }

        enum Does {
            /// `tellsSender` says whether the handler is told the sender, or the activation that
            /// ended.
            case routine(Int, tellsSender: Bool)
            case routineAtTarget(Int, target: Int)
            case activate(Name)
            case activateMapped(Name, [Int?])
            case combine(Int)
            case judge(FlowActionVerdict, routine: Int)
        }

        let flow: Int
        let motherboard: Int
        let hears: Hears
        let does: Does
        var isRemoved = false
    }

    /// The outputs that a combined flow has heard so far.
    struct Combination {
        let flow: Int
        let motherboard: Int
        let names: [Name]
        let strategy: CombineStrategy
        let routine: Int
        var heard: [Name: Int] = [:]
    }

    /// B28: A dependency on a lifetime, of an activation, of a component kept for it, or of both.
    struct Binding {
        let lifetime: Int
        let board: Int
        let activation: Int
        var endsActivation = false
        var keepsComponent = false
    }

    enum Delivery {
        /// B32: With the run that the board answered when it sent this.
        case output(Int, from: Int, for: Int?, actingFor: [Int])
        case ending(Ending, of: Int)
        /// B49: With the runs that the sender acted for.
        case action(Signal, Int, from: Name?, at: Int, actingFor: [Int])
        case denial(Denial, on: Int)
        case superseded(run: Int)
        /// A completed motherboard forgets everything.
        case forget(motherboard: Int)
    }

    let script: Script
    let faults: Fault
    var journal: [Fact] = []
    /// The situations of the rules that the script has led to, for the test of the scripts.
    var situations: Set<Situation> = []

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
    /// B49: The runs that the code under way acts for.
    var actingFor: [Int] = []

    /// The visits whose handles scripts may use.
    var handles: [Int] = []
    var flows = 0
    var gates = 0
    var fallbacks = 0
    var activations = 0
    /// Whether each weak target is there.
    var targets: [Bool] = []
    var fuel = 0

    init(_ script: Script, faults: Fault) {
        self.script = script
        self.faults = faults
    }
}
