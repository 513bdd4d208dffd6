import Backplane

/// Plays a script on a real ``Motherboard`` and writes down what can be observed.
final class ScriptPlayer {
    private let script: Script
    private(set) var journal: [Fact] = []

    // Strong, each and every one: what is gone is to be inert because it ended, not because nobody can reach it.
    private var motherboards: [Motherboard]
    private var slots: [any ScriptedSlot] = []
    private var handles: [any ScriptedHandle] = []
    private var flows: [(token: FlowToken, motherboard: Motherboard)] = []
    private var targets: [Target?] = []
    private var fallbacks = 0
    private var alive = 0
    private var fuel = 0

    private final class Target {}

    private init(_ script: Script, owner: any Actor) {
        self.script = script
        motherboards = [Motherboard(owner: owner)]
    }

    /// What `script` leads to on a motherboard of the actor that calls.
    static func journal(of script: Script, isolation: isolated any Actor = #isolation) -> [Fact] {
        let player = ScriptPlayer(script, owner: isolation)
        player.play()
        return player.journal
    }

    private func play() {
        motherboards[0].observe { event in
            guard Fact.kinds.contains(event.kind) else { return }
            self.note(.event(event.kind, event.board.flatMap { Name(rawValue: $0.name) }))
        }
        for entry in script.entries {
            fuel = Script.fuel
            perform(entry.operation, on: motherboards[entry.motherboard % motherboards.count])
            note(.alive(alive))
        }
        noteHandles()
        dropRoot()
        noteHandles()
    }

    private func dropRoot() {
        weak let root = motherboards[0]
        flows = []
        motherboards = []
        note(.rootIsGone(root == nil))
        note(.alive(alive))
    }

    private func note(_ fact: Fact) {
        journal.append(fact)
    }

    private func noteHandles() {
        for number in handles.indices { noteState(of: number) }
    }

    private func noteState(of handle: Int) {
        note(.state(handle: handle, handles[handle].state, handles[handle].completion.map(Ending.init)))
    }

    private func number(of motherboard: Motherboard) -> Int {
        if let number = motherboards.firstIndex(where: { $0 === motherboard }) { return number }
        motherboards.append(motherboard)
        return motherboards.count - 1
    }

    // MARK: Boards

    /// A board that does what its plan says.
    private final class ScriptedBoard<Contract: ScriptedContract>: Board {
        let slot: Slot<Contract>
        private let number: Int
        private let plan: Plan
        private let player: ScriptPlayer

        init(slot: Slot<Contract>, input: Int?, name: Name, plan: Int, player: ScriptPlayer) {
            self.slot = slot
            self.plan = player.script.plans[plan]
            self.player = player
            number = player.slots.count
            player.alive += 1
            player.slots.append(slot)
            player.note(.made(board: number, name, plan: plan, input: input))
            for step in self.plan.whileMade { player.perform(step, as: slot) }
        }

        deinit {
            player.alive -= 1
        }

        func activate(with input: Contract.Input) {
            let input = Contract.number(input)
            player.note(.activated(board: number, input))
            for step in plan.whenActivated.around(input) ?? [] { player.perform(step, as: slot) }
        }

        func receive(_ command: Int) {
            player.note(.told(board: number, command))
            for step in plan.whenTold.around(command) ?? [] { player.perform(step, as: slot) }
        }
    }

    private func register(_ name: Name, _ target: some ScriptedID, plan: Int, on motherboard: Motherboard) {
        switch script.plans[plan].reuse {
        case .shared:
            motherboard.register(target.id, replacing: true) { slot in
                ScriptedBoard(slot: slot, input: nil, name: name, plan: plan, player: self)
            }
        case .perActivation:
            motherboard.register(target.id, reuse: .perActivation, replacing: true) { slot in
                ScriptedBoard(slot: slot, input: nil, name: name, plan: plan, player: self)
            }
        case .perInput:
            registerPerInput(name, target, plan: plan, on: motherboard)
        }
    }

    private func registerPerInput<ID: ScriptedID>(_ name: Name, _ target: ID, plan: Int, on motherboard: Motherboard) {
        motherboard.register(target.id, replacing: true) { slot, input in
            let input = ID.Contract.number(input)
            return ScriptedBoard(slot: slot, input: input, name: name, plan: plan, player: self)
        }
    }

    // MARK: Steps

    private func hasFuel() -> Bool {
        fuel -= 1
        return fuel >= 0
    }

    private func perform(_ step: Step, as slot: any ScriptedSlot) {
        guard hasFuel() else { return }
        switch step {
        case .send(let output): slot.send(output)
        case .action(.flare, let value): slot.sendAction(Flare(value: value))
        case .action(.beacon, let value): slot.sendAction(Beacon(value: value))
        case .next(let name, let input): next(name.id, input, as: slot)
        case .tell(let name, let command): note(.answer(tell(name.id, command, as: slot)))
        case .end(let ending): slot.complete(ending.completion)
        case .inside(let operation):
            let motherboard = slot.motherboard
            _ = number(of: motherboard)
            perform(operation, on: motherboard)
        case .use(let use): perform(use)
        }
    }

    private func next<ID: ScriptedID>(_ target: ID, _ input: Int, as slot: any ScriptedSlot) {
        keep(slot.nextToBoard(target.id, with: ID.Contract.input(input)))
    }

    private func tell(_ target: some ScriptedID, _ command: Int, as slot: any ScriptedSlot) -> CommandResult {
        slot.send(command, to: target.id)
    }

    private func keep(_ handle: any ScriptedHandle) {
        handles.append(handle)
        noteState(of: handles.count - 1)
    }

    // MARK: Operations

    private func perform(routine: Int, on motherboard: Motherboard) {
        for operation in script.routines[routine] { perform(operation, on: motherboard) }
    }

    private func perform(_ operation: Operation, on motherboard: Motherboard) {
        guard hasFuel() else { return }
        switch operation {
        case .register(let name, let plan): register(name, name.id, plan: plan, on: motherboard)
        case .activate(let name, let input): activate(name.id, input, on: motherboard)
        case .tell(let name, let command): note(.answer(tell(name.id, command, on: motherboard)))
        case .complete(let name, let ending): complete(name.id, ending, on: motherboard)
        case .completeAll: motherboard.complete()
        case .action(.flare, let value): motherboard.sendAction(Flare(value: value))
        case .action(.beacon, let value): motherboard.sendAction(Beacon(value: value))
        case .draw(let drawing): draw(drawing, on: motherboard)
        case .gate(let name, let gate, let input, let verdicts):
            self.gate(name.id, by: gate.id, input, verdicts, on: motherboard)
        case .fallback(let routine):
            let number = fallbacks
            fallbacks += 1
            motherboard.registerFallback { id, given in
                guard let name = Name(rawValue: id.name) else { return }
                self.note(.missed(name, fallback: number, on: self.number(of: given)))
                self.perform(routine: routine, on: given)
            }
        case .asBoard(let number, let step):
            if let slot = slots.around(number) { perform(step, as: slot) }
        case .use(let use): perform(use)
        }
    }

    private func activate<ID: ScriptedID>(_ target: ID, _ input: Int, on motherboard: Motherboard) {
        keep(motherboard.activate(target.id, with: ID.Contract.input(input)))
    }

    private func tell(_ target: some ScriptedID, _ command: Int, on motherboard: Motherboard) -> CommandResult {
        motherboard.send(command, to: target.id)
    }

    private func complete(_ target: some ScriptedID, _ ending: Ending, on motherboard: Motherboard) {
        motherboard.complete(target.id, ending.completion)
    }

    private func gate<Front: ScriptedID>(
        _ target: some ScriptedID,
        by front: Front,
        _ input: Int,
        _ verdicts: [GateVerdict],
        on motherboard: Motherboard
    ) {
        motherboard.gate(target.id, by: front.id, with: Front.Contract.input(input)) { output in
            verdicts.around(output) ?? .undecided
        }
    }

    private func perform(_ use: Use) {
        switch use {
        case .look(let number):
            if let handle = Array(handles.indices).around(number) { noteState(of: handle) }
        case .tell(let number, let command):
            if let handle = handles.around(number) { note(.answer(handle.send(command))) }
        case .complete(let number, let ending):
            handles.around(number)?.complete(ending.completion)
        case .removeFlow(let number):
            if let flow = flows.around(number) { flow.motherboard.removeFlow(flow.token) }
        case .dropTarget(let number):
            if !targets.isEmpty { targets[number % targets.count] = nil }
        }
    }

    // MARK: Flows

    private func draw(_ drawing: Drawing, on motherboard: Motherboard) {
        let flow = flows.count
        let token =
            switch drawing {
            case .handler(let names, let routine): handler(names, routine, flow, on: motherboard)
            case .weak(let name, let routine): weakHandler(name.id, routine, flow, on: motherboard)
            case .steps(let names): steps(names, first: names[0].id, on: motherboard)
            case .completion(let name, let routine): completion(name.id, routine, flow, on: motherboard)
            case .general(.flare, let verdict, let routine):
                general(Flare.self, \.value, verdict, routine, flow, on: motherboard)
            case .general(.beacon, let verdict, let routine):
                general(Beacon.self, \.value, verdict, routine, flow, on: motherboard)
            }
        flows.append((token, motherboard))
    }

    private func handler(_ names: [Name], _ routine: Int, _ flow: Int, on motherboard: Motherboard) -> FlowToken {
        let handle = { (output: Int, sender: AnyBoardID, given: Motherboard) in
            let sender = Name(rawValue: sender.name)
            self.note(.heard(flow: flow, output, from: sender, on: self.number(of: given)))
            self.perform(routine: routine, on: given)
        }
        func one(_ first: some ScriptedID) -> FlowToken {
            motherboard.registerFlow(from: first.id) { output, given in
                self.note(.heard(flow: flow, output, from: nil, on: self.number(of: given)))
                self.perform(routine: routine, on: given)
            }
        }
        func two(_ first: some ScriptedID, _ second: some ScriptedID) -> FlowToken {
            motherboard.registerFlow(from: first.id, second.id, handle)
        }
        func three(_ first: some ScriptedID, _ second: some ScriptedID, _ third: some ScriptedID) -> FlowToken {
            motherboard.registerFlow(from: first.id, second.id, third.id, handle)
        }
        return switch names.count {
        case 1: one(names[0].id)
        case 2: two(names[0].id, names[1].id)
        default: three(names[0].id, names[1].id, names[2].id)
        }
    }

    private func weakHandler(
        _ target: some ScriptedID,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> FlowToken {
        let held = Target()
        targets.append(held)
        return motherboard.registerFlow(from: target.id, weak: held) { [unowned motherboard] _, output in
            self.note(.heard(flow: flow, output, from: nil, on: nil))
            self.perform(routine: routine, on: motherboard)
        }
    }

    private func steps(_ names: [Name], first: some ScriptedID, on motherboard: Motherboard) -> FlowToken {
        let two = first.id ->>> names[1].counting
        return motherboard.registerFlowSteps(names.count == 2 ? two : (two ->>> names[2].counting))
    }

    private func completion(
        _ target: some ScriptedID,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> FlowToken {
        motherboard.registerCompletionFlow(target.id) { completion, given in
            self.note(.heardEnding(flow: flow, Ending(completion), on: self.number(of: given)))
            self.perform(routine: routine, on: given)
        }
    }

    private func general<Action: BoardAction>(
        _ type: Action.Type,
        _ value: @escaping (Action) -> Int,
        _ verdict: ActionVerdict?,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> FlowToken {
        let handle = { (action: Action, given: Motherboard) in
            self.note(.heardAction(flow: flow, value(action), on: self.number(of: given)))
            self.perform(routine: routine, on: given)
        }
        guard let verdict else { return motherboard.registerGeneralFlow(handle) }
        return motherboard.registerGeneralFlow { (action: Action, given: Motherboard) -> ActionVerdict in
            handle(action, given)
            return verdict
        }
    }
}
