import Backplane

/// A player of a script on a real ``Motherboard``, which notes every fact that can be observed.
final class ScriptPlayer {
    let script: Script
    private(set) var journal: [Fact] = []

    // All references are strong. A completed motherboard does nothing because it has ended, and not
    // because it was released.
    private var motherboards: [Motherboard]
    var slots: [(name: Name, slot: any ScriptedSlot)] = []
    private(set) var handles: [any ScriptedHandle] = []
    var flows: [(token: Registration, motherboard: Motherboard)] = []
    var targets: [Target?] = []
    var fallbacks = 0
    /// The snapshot that the script has saved.
    var saved: BoardSnapshot?
    let restores: Bool
    /// The gates set on each motherboard so far.
    var gates: [Int: [GateSetting]] = [:]
    var conditions = [Bool](repeating: false, count: Script.conditions)
    var works: [PlayedWork] = []
    /// The handles whose end of waiting the entry awaits.
    var awaited: [Int] = []
    var callers: [(handle: Int, caller: Task<ActivationState, Never>)] = []
    let lifetimes = (0..<Script.lifetimes).map { _ in Screen() }
    var boardsAlive = 0
    private var componentsAlive = 0
    private var fuel = 0

    final class Target {}

    private class Component {
        private let player: ScriptPlayer

        init(player: ScriptPlayer) {
            self.player = player
            player.componentsAlive += 1
        }

        deinit {
            player.componentsAlive -= 1
        }
    }

    /// A component that ends its own lifetime when it is released.
    private final class LastingComponent: Component, LifetimeOwner {
        let lifetime = Lifetime()

        deinit {
            lifetime.end()
        }
    }

    private init(_ script: Script, owner: any Actor) {
        self.script = script
        restores = script.restores
        motherboards = [Motherboard(owner: owner, clock: StoppedClock())]
    }

    /// Returns the facts that `script` leads to on a motherboard of the calling actor.
    static func journal(of script: Script, isolation: isolated any Actor = #isolation) async -> [Fact] {
        let player = ScriptPlayer(script, owner: isolation)
        await player.play(isolation: isolation)
        let snapshot = player.motherboards[0].snapshot()
        player.note(.snapshot(snapshot.entries))
        player.noteHandles()
        player.dropRoot()
        player.noteHandles()
        await player.endWork(isolation: isolation)

        let restored = ScriptPlayer(script.setUp, owner: isolation)
        await restored.play(isolation: isolation)
        restored.restore(snapshot)
        await restored.endWork(isolation: isolation)
        return player.journal + restored.journal.compactMap(\.afterRestore)
    }

    private func restore(_ snapshot: BoardSnapshot) {
        fuel = Script.fuel
        for missing in motherboards[0].restore(snapshot.rewritten) {
            note(.unrestored(missing.path.compactMap(Name.init), missing.obstacle))
        }
        note(.snapshot(motherboards[0].snapshot().entries))
        noteAlive()
    }

    private func play(isolation: isolated any Actor) async {
        motherboards[0].observe { event in
            guard Fact.kinds.contains(event.kind) else { return }
            self.note(.event(event.kind, event.board.flatMap(Name.init), gate: event.gate.flatMap(Name.init)))
        }
        for entry in script.entries {
            fuel = Script.fuel
            let begun = works.count
            switch entry.operation {
            case .resume(let number): if hasFuel() { await resume(number, isolation: isolation) }
            case .resumeLatest: if hasFuel() { await resume(works.count - 1, isolation: isolation) }
            default: perform(entry.operation, on: motherboards[entry.motherboard % motherboards.count])
            }
            await beginWork(from: begun, isolation: isolation)
            await noteSettled(isolation: isolation)
            noteAlive()
        }
    }

    private func dropRoot() {
        weak let root = motherboards[0]
        flows = []
        motherboards = []
        note(.rootIsGone(root == nil))
        noteAlive()
    }

    private func noteAlive() {
        note(.alive(boards: boardsAlive, components: componentsAlive))
    }

    func note(_ fact: Fact) {
        journal.append(fact)
    }

    private func noteHandles() {
        for number in handles.indices { noteState(of: number) }
    }

    func noteState(of handle: Int) {
        note(.state(handle: handle, handles[handle].state, handles[handle].completion.map(Ending.init)))
    }

    func number(of motherboard: Motherboard) -> Int {
        if let number = motherboards.firstIndex(where: { $0 === motherboard }) { return number }
        motherboards.append(motherboard)
        return motherboards.count - 1
    }

    // MARK: Steps

    func hasFuel() -> Bool {
        fuel -= 1
        return fuel >= 0
    }

    func perform(_ step: Step, as slot: any ScriptedSlot) {
        guard hasFuel() else { return }
        switch step {
        case .send(let output): slot.send(MarkedNumber(output))
        case .action(.flare, let value): slot.sendAction(Flare(value: value))
        case .action(.beacon, let value): slot.sendAction(Beacon(value: value))
        case .next(let name, let input): next(name.id, input, as: slot)
        case .tell(let name, let command): note(.answer(tell(name.id, command, as: slot)))
        case .end(let ending): slot.complete(ending.completion)
        case .pair(let lifetime): slot.pair(with: lifetimes[lifetime])
        case .keep(let lifetime): slot.keep(Component(player: self), for: lifetimes[lifetime])
        case .keepPaired:
            let component = LastingComponent(player: self)
            slot.keep(component, for: lifetimes[Script.window])
            slot.pair(with: component)
        case .count(let name): count(name, name.id, as: slot)
        case .inside(let operation):
            let motherboard = slot.inner
            _ = number(of: motherboard)
            perform(operation, on: motherboard)
        case .work(let work): start(work, as: slot)
        case .use(let use): perform(use)
        }
    }

    private func next<ID: ScriptedID>(_ target: ID, _ input: Int, as slot: any ScriptedSlot) {
        keep(slot.nextToBoard(target.id, with: ID.Contract.input(input)))
    }

    private func tell(_ target: some ScriptedID, _ command: Int, as slot: any ScriptedSlot) -> CommandResult {
        slot.send(command, to: target.id)
    }

    private func count(_ name: Name, _ target: some ScriptedID, as slot: any ScriptedSlot) {
        note(.count(name, slot.liveCount(of: target.id), isLive: slot.isLive(target.id)))
    }

    func keep(_ handle: any ScriptedHandle) {
        handles.append(handle)
        noteState(of: handles.count - 1)
    }
}

/// A clock that never fires, so that no search for leaks runs while scripts count objects.
private struct StoppedClock: Clock {
    let minimumResolution = Duration.zero
    var now: ContinuousClock.Instant { .now }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        throw CancellationError()
    }
}
