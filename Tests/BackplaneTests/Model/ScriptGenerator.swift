import Backplane
import BackplaneTesting
import TestSupport

/// A generator of random scripts, each from its own seed.
struct ScriptGenerator {
    var random: SeededGenerator
    /// The IDs of the gate boards so far, which answer late.
    var gateBoards: [Name] = []
    /// The IDs of the boards behind these gates.
    var gated: [Name] = []
    /// The IDs of the scopes, of the boards inside them, and of their entrances.
    var scopes: [Name] = []
    var inside: [Name] = []
    var entrances: [Name] = []

    private init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    static func script(seed: some BinaryInteger) -> Script {
        var generator = ScriptGenerator(seed: UInt64(seed))
        return generator.script()
    }

    /// The exclusive upper bound of inputs, outputs and commands.
    static let values = 3
    private static let plans = 6
    private static let routines = 5

    private mutating func script() -> Script {
        var script = Script()
        if random.chance(40) { scopes = random.chance(60) ? [.s] : [.s, .t] }
        script.plans = (0..<Self.plans).map { _ in plan() } + [keeper(), keeper()]
        // A scope without an entrance is no scope, but a board on any motherboard. It ends at once.
        script.plans.append(Plan(reuse: .shared, whileMade: [.end(.cancelled)]))
        script.routines = (0..<Self.routines).map { _ in some(0...2) { $0.handlerOperation() } }
        // The first entries prepare the motherboards: most boards, a few flows and gates, and
        // perhaps a fallback and a nested motherboard.
        var operations: [Operation] = []
        let count = pick([0, 1, 1, 2, 2, 3, 4])
        let gates = some(count...count) { $0.gate() }
        let scopeOperations = scopes.isEmpty ? [] : scopesToSetUp()
        // A scope with an entrance is registered, because its ID leads to another motherboard.
        let entered = scopeOperations.compactMap { if case .scope(let setting) = $0 { setting.scope } else { nil } }
        for name in Name.plain + scopes where random.chance(90) || entered.contains(name) {
            let isKeeper = (gateBoards + entrances).contains(name) && random.chance(40)
            let plan = isKeeper ? Self.plans + number(2) : number(Self.plans)
            let isOver = name.isScope && !entered.contains(name)
            operations.append(.register(name, plan: isOver ? script.plans.count - 1 : plan))
        }
        operations += scopeOperations
        operations += some(1...5) { .draw($0.drawing()) } + gates
        if random.chance(30) { operations.append(.draw(.denial(routine: number(Self.routines)))) }
        if random.chance(30) { operations.append(.fallback(routine: number(Self.routines))) }
        if random.chance(60) {
            operations.append(.activate(name(), value()))
            operations += some(1...5) {
                .asBoard($0.random.chance(75) ? 0 : $0.number(3), .inside($0.innerOperation()))
            }
        }
        script.entries = operations.map { Script.Entry(motherboard: 0, operation: $0) }
        script.entries += some(4...11) { generator in
            let motherboard = generator.random.chance(60) ? 0 : generator.number(4)
            return Script.Entry(motherboard: motherboard, operation: generator.outsideOperation())
        }
        if random.chance(30) { insert(staleWork(), into: &script) }
        if random.chance(15), gateBoards.contains(.void) { supersede(in: &script) }
        if random.chance(20) { insert([.save] + endings() + [.restore], into: &script) }
        return script
    }

    /// Inserts operations at the end of the script, often with another entry between them.
    private mutating func insert(_ operations: [Operation], into script: inout Script) {
        for operation in operations {
            if random.chance(20) {
                script.entries.append(Script.Entry(motherboard: number(2), operation: outsideOperation()))
            }
            script.entries.append(Script.Entry(motherboard: 0, operation: operation))
        }
    }

    /// Returns operations that let work go on after its activation is superseded.
    private mutating func staleWork() -> [Operation] {
        let name = name()
        let work = Work(key: nil, lastsAsBoard: random.chance(10), steps: some(2...4) { $0.workStep() }, fails: false)
        return [
            .activate(name, value()), .asLatest(name, back: 0, .work(work)), .activate(name, value()),
            // The latest work is the last one that `resume` counts.
            .resumeLatest, .use(.look(handle: reference())),
        ]
    }

    /// Returns operations that end boards between a snapshot and its restore.
    private mutating func endings() -> [Operation] {
        some(0...2) { generator in
            switch generator.number(4) {
            case 0: .completeAllBoards
            case 1: .complete(generator.name(), generator.ending())
            case 2: .activate(generator.name(), generator.value())
            default: .use(.complete(handle: generator.reference(), generator.ending()))
            }
        }
    }

    /// Lets the shared gate board answer and be activated for something else in one turn.
    private mutating func supersede(in script: inout Script) {
        script.routines.append([.asLatest(.void, back: 0, .send(value())), .activate(.void, 0)])
        script.entries.insert(
            Script.Entry(
                motherboard: 0,
                operation: .draw(.general(.flare, handling: false, routine: script.routines.count - 1))
            ),
            at: 0
        )
        insert([.activate(gatedName(), value()), .activate(gatedName(), value()), .action(.flare, 0)], into: &script)
    }

    private mutating func plan() -> Plan {
        Plan(
            reuse: pick(Plan.BoardReuse.allCases + [.shared]),
            whileMade: random.chance(15) ? some(1...2) { $0.stepWhileMade() } : [],
            whenActivated: (0..<Self.values).map { input in some(0...3) { $0.step(activatingBelow: input) } },
            whenTold: some(1...2) { $0.some(0...2) { $0.stepWhenTold() } },
            whenEnded: random.chance(15) ? some(1...2) { $0.step() } : []
        )
    }

    /// Returns the behavior of a gate board that does much before it answers.
    private mutating func keeper() -> Plan {
        Plan(
            reuse: pick([.shared, .shared, .perActivation]),
            whenActivated: (0..<Self.values).map { _ in
                random.chance(25) ? [.send(value()), .end(.done)] : some(0...2) { $0.keeperStep() }
            },
            whenTold: [some(1...3) { $0.keeperStep() }]
        )
    }

    private mutating func keeperStep() -> Step {
        switch number(20) {
        case ..<4: .next(gatedName(), value())
        case ..<7: .next(name(), value())
        case ..<9: .inside(.activate(gatedName(), value()))
        case ..<12: .send(value())
        case 12: .end(ending())
        case 13: .tell(name(), value())
        case ..<18: .work(work())
        default: step()
        }
    }

    // MARK: Operations

    private mutating func outsideOperation() -> Operation {
        if !scopes.isEmpty, random.chance(45) { return scopeOperation() }
        return switch number(100) {
        case ..<15: .activate(name(), value())
        case ..<35: .activate(gatedName(), value())
        case ..<60: .asLatest(gateBoardName(), back: pick([0, 0, 0, 1, 2]), lateStep())
        case ..<64: .complete(random.chance(50) ? gateBoardName() : gatedName(), ending())
        case ..<70: .asBoard(reference(), step())
        case ..<80: .resume(reference())
        default: operation()
        }
    }

    private mutating func innerOperation() -> Operation {
        switch number(10) {
        case ..<3: .draw(drawing())
        case ..<6: gate()
        case ..<8: .activate(name(), value())
        default: operation()
        }
    }

    /// Returns an operation of a handler.
    ///
    /// Handlers remove flows more often than other code does, perhaps a flow that is about to fire.
    private mutating func handlerOperation() -> Operation {
        random.chance(15) ? .use(.removeFlow(reference())) : operation()
    }

    private mutating func operation(activatingBelow limit: Int = values) -> Operation {
        switch number(100) {
        case ..<28 where limit > 0: .activate(name(), number(limit))
        case ..<36: .tell(name(), value())
        case ..<42: .complete(name(), ending())
        case 42: .endMotherboard
        case 43: .completeAllBoards
        case ..<46: .count(name())
        case ..<52: .action(pick(Signal.allCases), value())
        case ..<64: .draw(drawing())
        case ..<71: gate()
        case ..<79: .register(plainName(), plan: number(Self.plans))
        case ..<82: .fallback(routine: number(Self.routines))
        default: .use(use())
        }
    }

    private mutating func gate() -> Operation {
        var (gateBoard, behind) = (nextGateBoard(), name())
        // A gate in front of its own board never opens, so there are few of them.
        if gateBoard == behind { (gateBoard, behind) = (nextGateBoard(), name()) }
        gateBoards.append(gateBoard)
        let isGeneral = random.chance(25)
        if !isGeneral { gated.append(behind) }
        let condition = random.chance(20) ? number(Script.conditions) : nil
        let asksAboutInput = !isGeneral && random.chance(35)
        return .gate(
            GateSetting(
                behind: isGeneral ? nil : behind,
                gateBoard: gateBoard,
                question: asksAboutInput
                    ? .table(some(1...3) { $0.random.chance(25) ? nil : $0.value() })
                    : .constant(value(), unless: condition),
                exceptions: isGeneral ? some(0...2) { $0.name() } : [],
                verdicts: some(1...3) { $0.pick([.open, .open, .open, .closed, .undecided]) }
            )
        )
    }

    /// Returns the ID of a gate board, often shared with other gates.
    private mutating func nextGateBoard() -> Name {
        switch number(100) {
        case ..<30: gateBoardName()
        case ..<60: .void
        default: plainName()
        }
    }

    private mutating func drawing() -> Drawing {
        let routine = number(Self.routines)
        return switch number(100) {
        case ..<30: .handler(name(), routine: routine)
        case ..<42: .weak(name(), routine: routine)
        case ..<52: .steps([name()] + some(1...2) { $0.pick(Name.withInput) })
        case ..<60: .mapping(name(), to: name(), some(1...3) { $0.random.chance(30) ? nil : $0.value() })
        case ..<70: .combined(distinctNames(2...3), keepingLatest: pick([false, true]), routine: routine)
        case ..<82: .completion(name(), tellsActivation: random.chance(50), routine: routine)
        case ..<86: .denial(routine: routine)
        default: .general(pick(Signal.allCases), handling: pick([nil, true, false, false]), routine: routine)
        }
    }

    private mutating func use() -> Use {
        switch number(24) {
        case ..<2: .look(handle: reference())
        case ..<6: .tell(handle: reference(), value())
        case ..<12: .complete(handle: reference(), ending())
        case ..<16: .removeFlow(reference())
        case ..<19: .endLifetime(number(Script.lifetimes))
        case ..<21: .flip(condition: number(Script.conditions))
        case ..<23: .await(handle: reference())
        default: .dropTarget(reference())
        }
    }

    // MARK: Scopes

    /// Returns the entrances and declarations of the scopes, the second of which may be inside the
    /// first.
    private mutating func scopesToSetUp() -> [Operation] {
        var operations: [Operation] = []
        var names = Name.plain.shuffled(using: &random)
        for (index, scope) in scopes.enumerated() {
            let entrance = random.chance(40) ? gateBoardName() : plainName()
            entrances.append(entrance)
            // An entrance inside its own scope is never asked, so there are few of them.
            if random.chance(90) { names.removeAll { $0 == entrance } }
            for _ in 0..<(1 + number(2)) {
                guard let name = names.popLast() else { continue }
                inside.append(name)
                operations.append(.declare(name, inside: scope))
            }
            if index > 0, random.chance(60) { operations.append(.declare(scope, inside: scopes[0])) }
            guard random.chance(92) else { continue }
            operations.append(
                .scope(
                    ScopeSetting(
                        scope: scope,
                        entrance: entrance,
                        question: value(),
                        inputs: some(1...3) { $0.random.chance(15) ? nil : $0.value() },
                        isSwitching: random.chance(20)
                    )
                )
            )
        }
        return operations.shuffled(using: &random)
    }

    private mutating func scopeOperation() -> Operation {
        switch number(100) {
        case ..<30: .activate(inside.isEmpty ? name() : pick(inside), value())
        case ..<60: .asLatest(pick(entrances), back: pick([0, 0, 0, 1]), lateStep())
        case ..<67: .activate(pick(entrances), value())
        case ..<74: .activate(pick(scopes), value())
        case ..<79: .complete(pick(scopes), ending())
        case ..<82: .complete(random.chance(50) ? pick(entrances) : name(), ending())
        case 82: .asLatest(pick(scopes), back: 0, .inside(.endMotherboard))
        case ..<93: .asLatest(pick(scopes), back: 0, .inside(innerOperation()))
        default: .use(.complete(handle: reference(), ending()))
        }
    }

    // MARK: Steps

    /// Returns a step of a board.
    ///
    /// During an activation, a step activates other boards only with a smaller input. Scripts that
    /// call themselves until the fuel is used up show little.
    private mutating func step(activatingBelow limit: Int = values) -> Step {
        switch number(100) {
        case ..<14 where limit > 0: .next(name(), number(limit))
        case ..<45: .send(value())
        case ..<52: .action(pick(Signal.allCases), value())
        case ..<58: .tell(name(), value())
        case ..<66: .end(ending())
        case ..<70: .pair(lifetime: number(Script.window))
        case ..<72: .keep(lifetime: number(Script.window))
        case ..<74: .keepPaired
        case 74: .count(name())
        case ..<88: .inside(operation(activatingBelow: limit))
        case ..<93: .work(work())
        default: .use(use())
        }
    }

    /// Returns work that often goes on after its activation is over.
    private mutating func work() -> Work {
        Work(
            key: random.chance(40) ? number(2) : nil,
            lastsAsBoard: random.chance(25),
            steps: random.chance(50) ? [.send(value())] : some(1...3) { $0.workStep() },
            fails: random.chance(10)
        )
    }

    private mutating func workStep() -> Step {
        switch number(10) {
        case ..<3: .next(name(), value())
        case 3: .inside(.activate(name(), value()))
        default: step()
        }
    }

    /// Returns a late step of a gate board, most often an answer.
    private mutating func lateStep() -> Step {
        switch number(10) {
        case ..<7: .send(value())
        case 7: .end(ending())
        default: step()
        }
    }

    /// Returns a step of a board that receives a command.
    ///
    /// The step often ends a board, perhaps a board that is about to receive the same command.
    private mutating func stepWhenTold() -> Step {
        random.chance(20) ? .use(.complete(handle: reference(), ending())) : step()
    }

    /// Returns a step of a board during its creation.
    ///
    /// The step activates no board, because an activation of the same board would trap.
    private mutating func stepWhileMade() -> Step {
        switch number(4) {
        case 0: .send(value())
        case 1: .action(pick(Signal.allCases), value())
        case 2: .pair(lifetime: number(Script.window))
        default: .end(ending())
        }
    }
}
