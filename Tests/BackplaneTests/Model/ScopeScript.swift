import BackplaneTesting
import TestSupport

/// A step that is played on an app with scopes: see ``ScopeModel``.
enum ScopeStep: CustomStringConvertible {
    enum Target {
        case course(Int)
        case project(Int)
        /// A board inside the session and behind a gate.
        case form(Int)
        case organization(String)
        case session(String)
    }

    /// An activation on the outermost motherboard, or on a motherboard nested beside the scopes.
    case activate(Target, isNested: Bool)
    case openLogIn
    case signIn(String)
    case endLogIn
    case pick(String)
    case endPicker
    case answerKeeper(Bool)
    case endKeeper
    case completeSession
    case completeOrganization
    /// The end of an activation, which is given up or completed.
    case complete(Int)

    var description: String {
        switch self {
        case .activate(let target, let isNested): "activate \(target)\(isNested ? " on a nested motherboard" : "")"
        case .openLogIn: "open the log-in"
        case .signIn(let name): "sign \(name) in"
        case .endLogIn: "end the log-in"
        case .pick(let name): "pick \(name)"
        case .endPicker: "end the picker"
        case .answerKeeper(let isOpen): "the gate board sends \(isOpen)"
        case .endKeeper: "end the gate board"
        case .completeSession: "complete the session"
        case .completeOrganization: "complete the organization"
        case .complete(let index): "complete activation \(index)"
        }
    }

    static func script(seed: UInt64) -> [ScopeStep] {
        var random = SeededGenerator(seed: seed)
        return (0..<(3 + random.below(25))).map { _ in step(using: &random) }
    }

    private static func step(using random: inout SeededGenerator) -> ScopeStep {
        let number = random.below(100)
        switch random.below(24) {
        case 0, 1, 2: return .activate(.course(number), isNested: random.chance(20))
        case 3, 4: return .activate(.project(number), isNested: random.chance(20))
        case 5, 6: return .activate(.form(number), isNested: random.chance(20))
        case 7: return .activate(.organization(organization(number)), isNested: random.chance(20))
        case 8: return .activate(.session(user(number)), isNested: random.chance(20))
        case 9: return .openLogIn
        case 10, 11, 12: return .signIn(user(number))
        case 13: return .endLogIn
        case 14, 15: return .pick(organization(number))
        case 16: return .endPicker
        case 17, 18: return .answerKeeper(number < 70)
        case 19: return .endKeeper
        case 20: return .completeSession
        case 21: return .completeOrganization
        default: return .complete(random.below(8))
        }
    }

    private static func user(_ number: Int) -> String { ["ada", "eve", "kim"][number % 3] }
    private static func organization(_ number: Int) -> String { ["acme", "evil"][number % 2] }
}

/// The observable state of an app with scopes after a step.
struct ScopeView: Hashable, CustomStringConvertible {
    /// The entries so far, by user and board: `ada/course 7`.
    var entered: [String] = []
    var dropped = 0
    /// The state of each activation so far, without reasons.
    var states: [String] = []
    /// The live boards.
    var live: [String] = []

    var description: String {
        "entered \(entered.suffix(6)), dropped \(dropped), states \(states), live \(live)"
    }
}
