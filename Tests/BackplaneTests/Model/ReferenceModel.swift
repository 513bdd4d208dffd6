import Backplane

/// The rules B1–B34 as a program too simple to be wrong: everything that was ever made is in an array, everything pending is
/// in one queue, and every question is answered by looking at all there is.
final class ReferenceModel {
    struct Level {
        /// The board this motherboard is inside of.
        let host: Int?
        var isCompleted = false
        var plans: [Name: Int] = [:]
        var gates: [Name: Gate] = [:]
        var generalGate: (gate: Gate, exceptions: [Name])?
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
        var phase = Phase.live
        var nested: Int?
        /// The latest activation of this board, which alone may speak for it.
        var activation: Int
        /// The visits that wait for this board as their gate, and the rule that had it activated.
        var run: (rule: Int, waiting: [Int])?
    }

    struct Gate {
        let number: Int
        let by: Name
        let input: Int
        let verdicts: [GateVerdict]
    }

    /// One call of `activate`, with a handle or without.
    struct Visit {
        let name: Name
        let motherboard: Int
        let input: Int
        /// The rule that makes it wait.
        var gate: Gate?
        /// What became of it outside the board: waiting, or never inside.
        var outside = ActivationState.waiting
        /// The board it came to, and as which activation.
        var inside: (board: Int, activation: Int)?
    }

    struct Listener {
        enum Hears: Equatable {
            case outputs(Name)
            case completions(Name)
            case actions(Signal)
        }

        enum Does {
            case routine(Int, tellsSender: Bool)
            case routineAtTarget(Int, target: Int)
            case activate(Name)
            case activateMapped(Name, [Int?])
            case combine(Int)
            case judge(ActionVerdict, routine: Int)
        }

        let flow: Int
        let motherboard: Int
        let hears: Hears
        let does: Does
        var isRemoved = false
    }

    /// What a combined flow has heard so far.
    struct Combination {
        let flow: Int
        let motherboard: Int
        let names: [Name]
        let strategy: CombineStrategy
        let routine: Int
        var heard: [Name: Int] = [:]
    }

    /// B28: what depends on a lifetime, the activation of a board or a component kept for it.
    struct Tie {
        let lifetime: Int
        let board: Int
        let activation: Int
        let isComponent: Bool
    }

    enum Delivery {
        case output(Int, from: Int)
        case ending(Ending, of: Int)
        case action(Signal, Int, from: Name?, at: Int)
        /// A completed motherboard forgets everything.
        case forget(motherboard: Int)
    }

    let script: Script
    var journal: [Fact] = []

    var motherboards = [Level(host: nil)]
    var boards: [MadeBoard] = []
    var visits: [Visit] = []
    var listeners: [Listener] = []
    var combinations: [Combination] = []
    var ties: [Tie] = []
    var isOver = [Bool](repeating: false, count: Script.lifetimes)
    var queue: [Delivery] = []
    var isTurnOpen = false
    var isObserved = true

    /// The visits whose handles scripts may use.
    var handles: [Int] = []
    var flows = 0
    var gates = 0
    var fallbacks = 0
    var activations = 0
    /// Whether each weak target is there.
    var targets: [Bool] = []
    var fuel = 0

    private init(_ script: Script) {
        self.script = script
    }

    /// What `script` leads to.
    static func journal(of script: Script) -> [Fact] {
        let model = ReferenceModel(script)
        for entry in script.entries {
            model.fuel = Script.fuel
            model.perform(entry.operation, on: entry.motherboard % model.motherboards.count)
            model.noteAlive()
        }
        model.noteHandles()
        model.dropRoot()
        model.noteHandles()
        return model.journal
    }

    func note(_ fact: Fact) {
        journal.append(fact)
    }

    func raise(_ kind: BoardEvent.Kind, _ name: Name?) {
        if isObserved { note(.event(kind, name)) }
    }

    private func noteAlive() {
        let components = ties.filter { $0.isComponent && boards[$0.board].phase == .live && !isOver[$0.lifetime] }
        note(.alive(boards: boards.count { $0.phase == .live }, components: components.count))
    }

    func noteHandles() {
        for handle in handles.indices { noteState(of: handle) }
    }

    func noteState(of handle: Int) {
        let visit = visits[handles[handle]]
        note(.state(handle: handle, state(of: visit), ending(of: visit)))
    }

    /// B27: the owner goes, and no handler runs.
    private func dropRoot() {
        for board in boards.indices where boards[board].phase == .live {
            boards[board].phase = .ownerGone
            for visit in boards[board].run?.waiting ?? [] where visits[visit].outside == .waiting {
                visits[visit].outside = .denied(Denial(gate: boards[board].name.anyID, reason: .ownerGone))
            }
        }
        note(.rootIsGone(true))
        noteAlive()
    }

    // MARK: Levels

    func parent(of motherboard: Int) -> Int? {
        motherboards[motherboard].host.map { boards[$0].motherboard }
    }

    /// What a motherboard has, or else the nearest one around it that has it.
    func nearest<Value>(to motherboard: Int, _ value: (Level) -> Value?) -> Value? {
        if let found = value(motherboards[motherboard]) { return found }
        return parent(of: motherboard).flatMap { nearest(to: $0, value) }
    }

    /// B8: inherited from the nearest around it.
    func plan(of name: Name, on motherboard: Int) -> Int? {
        nearest(to: motherboard) { $0.plans[name] }
    }

    /// B8, B31: a gate of the board's own, however far up, or else a general one that is in front of this board.
    func gate(of name: Name, on motherboard: Int) -> Gate? {
        if let own = nearest(to: motherboard, { $0.gates[name] }) { return own }
        return nearest(to: motherboard) { level in
            guard let (gate, exceptions) = level.generalGate else { return nil }
            return gate.by == name || exceptions.contains(name) ? nil : gate
        }
    }

    /// The live boards of an identity, the first made first.
    func live(_ name: Name, on motherboard: Int) -> [Int] {
        boards.indices.filter {
            boards[$0].name == name && boards[$0].motherboard == motherboard && boards[$0].phase == .live
        }
    }

    /// B24: made on first use; what an ended board is given is completed and inside of nothing.
    func nested(in board: Int) -> Int {
        guard boards[board].phase == .live else {
            motherboards.append(Level(host: nil, isCompleted: true))
            return motherboards.count - 1
        }
        if let nested = boards[board].nested { return nested }
        motherboards.append(Level(host: board))
        boards[board].nested = motherboards.count - 1
        return motherboards.count - 1
    }

    // MARK: Turns

    /// B2: the outermost call delivers everything before it returns.
    func openTurn() -> Bool {
        defer { isTurnOpen = true }
        return !isTurnOpen
    }

    func closeTurn(_ isOutermost: Bool) {
        guard isOutermost else { return }
        while !queue.isEmpty { deliver(queue.removeFirst()) }
        isTurnOpen = false
    }
}
