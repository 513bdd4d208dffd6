import BackplaneTesting
import TestSupport

/// A step that is played on a task board: see ``TaskModel``.
enum TaskStep: CustomStringConvertible {
    enum Outcome {
        case output(Int)
        case error
    }

    /// An activation on the outermost motherboard, or on a nested one that inherits from it.
    case activate(Int, isNested: Bool)
    /// An output of running work before its end.
    case progress(work: Int, Int)
    case finish(work: Int, Outcome)
    /// The end of an activation from outside, whether it waits, is in line or runs.
    case complete(Int)
    /// The end of all activations on the outermost motherboard.
    case completeAll
    case answerKeeper(Bool)
    case endKeeper
    /// Another registration, which has a line of its own.
    case register(TaskSetting)
    /// A snapshot, the end of all activations, and a restore.
    case restart

    var description: String {
        switch self {
        case .activate(let input, let isNested): "activate \(input)\(isNested ? " on a nested motherboard" : "")"
        case .progress(let work, let output): "work \(work) sends \(output)"
        case .finish(let work, let outcome): "work \(work) ends with \(outcome)"
        case .complete(let index): "complete activation \(index)"
        case .completeAll: "complete all"
        case .answerKeeper(let isOpen): "the gate board sends \(isOpen)"
        case .endKeeper: "end the gate board"
        case .register(let setting): "register \(setting)"
        case .restart: "save, complete all and restore"
        }
    }
}

/// A registration of a task board.
struct TaskSetting {
    enum Strategy {
        case concurrent(limit: Int)
        case queue, latest, exclusive, join
    }

    var strategy: Strategy
    var isRepeatable: Bool
}

/// A random script for a task board.
struct TaskScript {
    var isGated: Bool
    var steps: [TaskStep]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        isGated = random.chance(30)
        let isNested = random.chance(40)
        steps = [.register(Self.setting(using: &random))]
        let first = steps
        // A snapshot restores a live gate board, too, which is not what this model is about.
        let restarts = !isNested && !isGated
        steps =
            first
            + (0..<(3 + random.below(22))).map { _ in
                Self.step(isNested: isNested, restarts: restarts, using: &random)
            }
    }

    private static func setting(using random: inout SeededGenerator) -> TaskSetting {
        let strategies: [TaskSetting.Strategy] = [
            .concurrent(limit: 1 + random.below(3)), .queue, .latest, .exclusive, .join, .join,
        ]
        return TaskSetting(strategy: strategies[random.below(strategies.count)], isRepeatable: random.chance(60))
    }

    private static func step(isNested: Bool, restarts: Bool, using random: inout SeededGenerator) -> TaskStep {
        let number = random.below(100)
        switch random.below(24) {
        case 0..<8: return .activate(number % 2, isNested: isNested && random.chance(25))
        case 8, 9: return .progress(work: random.below(6), number)
        case 10..<14: return .finish(work: random.below(6), number < 75 ? .output(number) : .error)
        case 14..<18: return .complete(random.below(8))
        case 18: return .completeAll
        case 19, 20: return .answerKeeper(number < 70)
        case 21: return .endKeeper
        case 22: return number < 40 ? .register(setting(using: &random)) : .activate(number % 2, isNested: false)
        default: return restarts ? .restart : .activate(number % 2, isNested: isNested)
        }
    }
}

/// The observable state of a task board after a step.
struct TaskView: Hashable, CustomStringConvertible {
    /// The inputs of the works that have begun, in order.
    var begun: [Int] = []
    /// The outputs and completions that flows have received.
    var heard: [String] = []
    /// The state of each activation with a handle.
    var states: [String] = []
    var liveCount = 0
    /// The reports of restores.
    var unrestored: [String] = []

    var description: String {
        "begun \(begun), heard \(heard.suffix(8)), states \(states), live \(liveCount), unrestored \(unrestored)"
    }
}
