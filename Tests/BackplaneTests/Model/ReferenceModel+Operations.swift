import Backplane

/// Operations and steps of scripts.
extension ReferenceModel {
    private func hasFuel() -> Bool {
        fuel -= 1
        return fuel >= 0
    }

    func perform(routine: Int, on motherboard: Int) {
        for operation in script.routines[routine] { perform(operation, on: motherboard) }
    }

    func perform(_ operation: Operation, on motherboard: Int) {
        guard hasFuel() else { return }
        switch operation {
        case .register(let name, let plan):
            motherboards[motherboard].plans[name] = plan
        case .activate(let name, let input):
            activate(name, with: input, on: motherboard)
        case .tell(let name, let command):
            tell(name, command, on: motherboard)
        case .complete(let name, let ending):
            complete(name, ending, on: motherboard)
        case .completeAllBoards:
            completeAllBoards(on: motherboard)
        case .endMotherboard:
            turn { end(motherboard: motherboard) }
        case .count(let name):
            noteCount(of: name, on: motherboard)
        case .action(let signal, let value):
            sendAction(signal, value, from: nil, at: motherboard)
        case .draw(let drawing):
            // B77: A flow inside a scope from the board of a scope traps.
            if motherboard == 0 || !drawing.startsAtScope { draw(drawing, on: motherboard) }
        case .gate(let setting):
            set(setting, on: motherboard)
        case .fallback(let routine):
            motherboards[motherboard].fallback = (fallbacks, routine)
            fallbacks += 1
        case .scope(let setting):
            registerScope(setting, on: motherboard)
        case .declare(let name, let scope):
            motherboards[motherboard].declared[name] = scope
        case .asBoard(let number, let step):
            if let board = Array(boards.indices).around(number) { perform(step, as: board) }
        case .asLatest(let name, let back, let step):
            let made = boards.indices.filter { boards[$0].name == name }
            if let board = made.reversed().around(back) { perform(step, as: board) }
        case .resume(let number):
            if let work = Array(works.indices).around(number) { resume(work) }
        case .resumeLatest:
            if !works.isEmpty { resume(works.count - 1) }
        case .save:
            saved = snapshot(of: motherboard)
        case .restore:
            unrestored = []
            restore(saved, on: motherboard)
            journal += unrestored
            unrestored = []
            note(.snapshot(snapshot(of: motherboard)))
        case .use(let use):
            perform(use)
        }
    }

    /// B31: Appends a gate, or replaces the same gate in its place.
    ///
    /// The replacement counts as another gate.
    private func set(_ setting: GateSetting, on motherboard: Int) {
        let gate = Gate(number: gates, home: motherboard, setting: setting)
        gates += 1
        if let index = motherboards[motherboard].gates.firstIndex(where: { $0.setting.isSame(as: setting) }) {
            motherboards[motherboard].gates[index] = gate
        } else {
            motherboards[motherboard].gates.append(gate)
        }
    }

    /// B49: Performs a step of a board, which acts for the runs of its latest activation.
    ///
    /// B71: For work that is over, the board is as if it had ended.
    func perform(_ step: Step, as board: Int, in work: Int? = nil) {
        guard hasFuel() else { return }
        acting(for: boards[board].actsFor) { take(step, as: board, in: work) }
    }

    private func take(_ step: Step, as board: Int, in work: Int?) {
        let isStale = (work.map(isCancelled) ?? false) && !isFaulty(step)
        let isLive = boards[board].phase == .live && !isStale
        let motherboard = boards[board].motherboard
        switch step {
        case .send(let output):
            // B3: The board must be live at the moment of sending.
            guard isLive else { return raise(.droppedOutput, boards[board].name) }
            let sender = boards[board]
            turn { queue.append(.output(output, from: board, for: sender.answers, actingFor: sender.actsFor)) }
        case .action(let signal, let value):
            guard isLive else { return raise(.droppedOutput, boards[board].name) }
            sendAction(signal, value, from: boards[board].name, at: motherboard)
        case .next(let name, let input):
            if isLive {
                activate(name, with: input, on: motherboard)
            } else {
                visits.append(Visit(name: name, motherboard: motherboard, input: input, outside: .ownerGone))
                handles.append(visits.count - 1)
                noteState(of: handles.count - 1)
            }
        case .tell(let name, let command):
            if isLive { tell(name, command, on: motherboard) } else { note(.answer(.ownerGone)) }
        case .end(let ending):
            if isLive { complete(board, ending) }
        case .pair(let lifetime):
            if isLive { bind(lifetime, to: board, endsActivation: true) }
        case .keep(let lifetime):
            if isLive { bind(lifetime, to: board, keepsComponent: true) }
        case .keepPaired:
            if isLive { bind(Script.window, to: board, endsActivation: true, keepsComponent: true) }
        case .count(let name):
            if isLive { noteCount(of: name, on: motherboard) } else { note(.count(name, 0, isLive: false)) }
        case .inside(let operation):
            let motherboard = isLive ? inner(of: board) : completedMotherboard()
            // B49: The motherboard alone tells whose work this is.
            acting(for: []) { perform(operation, on: motherboard) }
        case .work(let work):
            if isLive { start(work, as: board) }
        case .use(let use):
            perform(use)
        }
    }

    private func isFaulty(_ step: Step) -> Bool {
        switch step {
        case .send: faults.contains(.staleSends)
        case .next: faults.contains(.staleActivates)
        case .inside: faults.contains(.staleIsInside)
        default: false
        }
    }

    /// B53: Notes the number of live boards, without an activation or a command.
    private func noteCount(of name: Name, on motherboard: Int) {
        let place = motherboards[motherboard].isCompleted ? nil : place(of: name, from: motherboard).motherboard
        let count = place.map { live(name, on: $0).count } ?? 0
        note(.count(name, count, isLive: count > 0))
    }

    private func perform(_ use: Use) {
        switch use {
        case .look(let number):
            if let handle = Array(handles.indices).around(number) { noteState(of: handle) }
        case .tell(let number, let command):
            if let visit = handles.around(number) { tell(visit: visit, command) }
        case .complete(let number, let ending):
            if let visit = handles.around(number) { complete(visit: visit, ending) }
        case .removeFlow(let number):
            if flows > 0 { removeFlow(number % flows) }
        case .dropTarget(let number):
            if let target = Array(targets.indices).around(number) { targets[target] = false }
        case .endLifetime(let lifetime):
            end(lifetime: lifetime)
        case .flip(let condition):
            conditions[condition].toggle()
        case .await(let number):
            if let handle = Array(handles.indices).around(number) { awaited.append(handle) }
        }
    }
}
