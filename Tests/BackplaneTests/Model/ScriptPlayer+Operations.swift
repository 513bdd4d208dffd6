import Backplane

/// Operations in scripts.
extension ScriptPlayer {
    func perform(routine: Int, on motherboard: Motherboard) {
        for operation in script.routines[routine] { perform(operation, on: motherboard) }
    }

    func perform(_ operation: Operation, on motherboard: Motherboard) {
        guard hasFuel() else { return }
        switch operation {
        case .register(let name, let plan): register(name, name.id, plan: plan, on: motherboard)
        case .activate(let name, let input): activate(name.id, input, on: motherboard)
        case .tell(let name, let command): note(.answer(tell(name.id, command, on: motherboard)))
        case .complete(let name, let ending): complete(name.id, ending, on: motherboard)
        case .completeAllBoards: motherboard.completeAllBoards()
        case .endMotherboard: motherboard.complete()
        case .count(let name): count(name, name.id, on: motherboard)
        case .action(.flare, let value): motherboard.sendAction(Flare(value: value))
        case .action(.beacon, let value): motherboard.sendAction(Beacon(value: value))
        case .draw(let drawing):
            if number(of: motherboard) == 0 || !drawing.startsAtScope { draw(drawing, on: motherboard) }
        case .gate(let setting): set(setting, on: motherboard)
        case .fallback(let routine):
            let number = fallbacks
            fallbacks += 1
            motherboard.registerFallback { id, given in
                guard let name = Name(id) else { return }
                self.note(.missed(name, fallback: number, on: self.number(of: given)))
                self.perform(routine: routine, on: given)
            }
        case .scope(let setting): registerScope(setting, setting.entrance.id, on: motherboard)
        case .declare(let name, let scope): declare(name.id, inside: scope, on: motherboard)
        case .asBoard(let number, let step):
            if let slot = slots.around(number)?.slot { perform(step, as: slot) }
        case .asLatest(let name, let back, let step):
            let made = slots.filter { $0.name == name }
            if let slot = made.reversed().around(back)?.slot { perform(step, as: slot) }
        case .resume, .resumeLatest: preconditionFailure("Only an entry resumes work.")
        case .save: saved = motherboard.snapshot()
        case .restore:
            for missing in saved.map({ motherboard.restore($0.rewritten) }) ?? [] {
                note(.unrestored(missing.path.compactMap(Name.init), missing.obstacle))
            }
            note(.snapshot(motherboard.snapshot().entries))
        case .use(let use): perform(use)
        }
    }

    private func activate<ID: ScriptedID>(_ target: ID, _ input: Int, on motherboard: Motherboard) {
        keep(motherboard.activate(target.id, with: ID.Contract.input(input)))
    }

    private func tell(_ target: some ScriptedID, _ command: Int, on motherboard: Motherboard) -> CommandResult {
        motherboard.send(command, to: target.id)
    }

    private func count(_ name: Name, _ target: some ScriptedID, on motherboard: Motherboard) {
        note(.count(name, motherboard.liveCount(of: target.id), isLive: motherboard.isLive(target.id)))
    }

    private func complete(_ target: some ScriptedID, _ ending: Ending, on motherboard: Motherboard) {
        motherboard.complete(target.id, ending.completion)
    }

    func perform(_ use: Use) {
        switch use {
        case .look(let number):
            if let handle = Array(handles.indices).around(number) { noteState(of: handle) }
        case .tell(let number, let command):
            if let handle = handles.around(number) { note(.answer(handle.send(command))) }
        case .complete(let number, let ending):
            handles.around(number)?.complete(ending.completion)
        case .removeFlow(let number):
            if let flow = flows.around(number) { flow.motherboard.remove(flow.token) }
        case .dropTarget(let number):
            if !targets.isEmpty { targets[number % targets.count] = nil }
        case .endLifetime(let number):
            lifetimes[number].lifetime.end()
        case .flip(let condition):
            conditions[condition].toggle()
        case .await(let number):
            if let handle = Array(handles.indices).around(number) { awaited.append(handle) }
        }
    }
}
