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
    /// The number of pieces of work that have started, and have neither ended nor wait for their
    /// outcome.
    private var moving = 0
    private var resting: CheckedContinuation<Void, Never>?

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
        motherboard.observe { event in
            switch event.kind {
            case .taskStarted: self.moving += 1
            case .taskEnded: self.stopMoving()
            default: break
            }
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
    func end() {
        motherboard.complete()
        for work in works.indices { finish(work, .error) }
    }

    /// Waits until all work that has started waits for its outcome or has ended.
    private func rest(isolation: isolated any Actor) async {
        if moving > 0 { await withCheckedContinuation { resting = $0 } }
    }

    private func stopMoving() {
        moving -= 1
        if moving > 0 { return }
        resting?.resume()
        resting = nil
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
            let outcome = await withCheckedContinuation { wake in
                held.wake = wake
                self.stopMoving()
            }
            switch outcome {
            case .output(let output): return output
            case .error: throw ChoreError()
            }
        }
    }

    private func finish(_ work: Int, _ outcome: TaskStep.Outcome) {
        guard let wake = works[work].wake else { return }
        works[work].wake = nil
        moving += 1
        wake.resume(returning: outcome)
    }

    private func name(of state: ActivationState) -> String {
        switch state {
        case .denied: "denied"
        default: "\(state)"
        }
    }
}
