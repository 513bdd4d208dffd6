import Backplane

/// An actor with a motherboard, for tests that run on every kind of actor.
protocol Stage: Sendable {
    /// Runs `body` on the actor.
    func run<Result: Sendable>(_ body: @Sendable (Motherboard) -> Result) async -> Result
}

/// The main actor, with a motherboard.
@MainActor final class MainStage: Stage {
    let motherboard = Motherboard.onMain()

    func run<Result: Sendable>(_ body: @Sendable (Motherboard) -> Result) -> Result {
        body(motherboard)
    }
}

/// A custom actor with a motherboard.
actor ActorStage: Stage {
    private lazy var motherboard = Motherboard(owner: self)

    func run<Result: Sendable>(_ body: @Sendable (Motherboard) -> Result) -> Result {
        body(motherboard)
    }
}

/// The two kinds of actors that can own a motherboard.
enum Place: CaseIterable {
    case mainActor
    case customActor

    func makeStage() async -> any Stage {
        switch self {
        case .mainActor: await MainStage()
        case .customActor: ActorStage()
        }
    }
}
