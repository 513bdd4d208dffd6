import Backplane

/// A task board that does what the script says.
private enum Chore: BoardContract {
    typealias Input = Int
    typealias Output = Int
}

extension BoardID<Chore> {
    fileprivate static var chore: Self { "chore" }
}

private struct ChoreError: Error {}

/// A task board on a real motherboard, which plays scripts: see ``TaskModel``.
final class TaskPlayer {
    private let motherboard: Motherboard
    private let nested: Motherboard
    private let keepers = Asked<Doorkeeper>()
    private var works: [Held] = []
    private var handles: [Activation<Chore>] = []
    private(set) var view = TaskView()

    /// Work that waits for its outcome.
    private final class Held {
        let slot: Slot<Chore>
        var wake: CheckedContinuation<TaskStep.Outcome, Never>?

        init(slot: Slot<Chore>) {
            self.slot = slot
        }
    }

    init(on motherboard: Motherboard, isGated: Bool) {
        self.motherboard = motherboard
        nested = motherboard.makeInner()
        motherboard.probe(.doorkeeper, notedIn: keepers)
        if isGated { motherboard.gate(.chore, by: .doorkeeper) { $0 ? .open : .closed } }
        for level in [motherboard, nested] {
            level.registerFlow(from: .chore) { output, _ in self.view.heard.append("\(output)") }
            level.registerCompletionFlow(.chore) { completion, _ in self.view.heard.append("\(Ending(completion))") }
        }
    }

    func take(_ step: TaskStep, isolation: isolated any Actor) async {
        switch step {
        case .register(let setting): register(setting)
        case .activate(let input, let isNested):
            handles.append((isNested ? nested : motherboard).activate(.chore, with: input))
        case .progress(let work, let output):
            if work < works.count, works[work].wake != nil { works[work].slot.send(output) }
        case .finish(let work, let outcome): if work < works.count { finish(work, outcome) }
        case .complete(let index): if index < handles.count { handles[index].complete() }
        case .completeAll: motherboard.complete(.chore)
        case .answerKeeper(let isOpen): keepers.boards.last?.send(isOpen)
        case .endKeeper: motherboard.complete(.doorkeeper)
        case .restart:
            let snapshot = motherboard.snapshot()
            motherboard.complete(.chore)
            view.unrestored += motherboard.restore(snapshot).map(\.obstacle.description)
        }
        await rest(isolation: isolation)
        view.states = handles.map { name(of: $0.state) }
        view.liveCount = motherboard.liveCount(of: .chore)
    }

    /// Ends the script, and all work.
    func end(isolation: isolated any Actor) async {
        motherboard.complete()
        for work in works.indices { finish(work, .error) }
        await rest(isolation: isolation)
    }

    /// Lets all work begin or end, which takes a few hops to the actor.
    private func rest(isolation: isolated any Actor) async {
        for _ in 0..<6 { await Task.yield() }
    }

    private func register(_ setting: TaskSetting) {
        let strategy: TaskStrategy<Int> =
            switch setting.strategy {
            case .concurrent(let limit): .concurrent(limit: limit)
            case .queue: .queue
            case .latest: .latest
            case .exclusive: .exclusive
            case .join: .join
            }
        motherboard.registerTask(.chore, strategy, repeatable: setting.isRepeatable, replacing: true) { input, slot in
            let held = Held(slot: slot)
            self.works.append(held)
            self.view.begun.append(input)
            switch await withCheckedContinuation({ held.wake = $0 }) {
            case .output(let output): return output
            case .error: throw ChoreError()
            }
        }
    }

    private func finish(_ work: Int, _ outcome: TaskStep.Outcome) {
        works[work].wake?.resume(returning: outcome)
        works[work].wake = nil
    }

    private func name(of state: ActivationState) -> String {
        switch state {
        case .denied: "denied"
        default: "\(state)"
        }
    }
}
