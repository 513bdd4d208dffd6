import Backplane

/// What scripts do.
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
            if motherboards[motherboard].isCompleted { return }
            let isOutermost = openTurn()
            for board in live(name, on: motherboard) { end(board, ending) }
            closeTurn(isOutermost)
        case .completeAll:
            if motherboards[motherboard].isCompleted { return }
            let isOutermost = openTurn()
            end(motherboard: motherboard)
            closeTurn(isOutermost)
        case .action(let signal, let value):
            sendAction(signal, value, from: nil, at: motherboard)
        case .draw(let drawing):
            draw(drawing, on: motherboard)
        case .gate(let name, let gate, let input, let verdicts):
            motherboards[motherboard].gates[name] = Gate(number: gates, by: gate, input: input, verdicts: verdicts)
            gates += 1
        case .gateAll(let gate, let input, let exceptions, let verdicts):
            let general = Gate(number: gates, by: gate, input: input, verdicts: verdicts)
            motherboards[motherboard].generalGate = (general, exceptions)
            gates += 1
        case .fallback(let routine):
            motherboards[motherboard].fallback = (fallbacks, routine)
            fallbacks += 1
        case .asBoard(let number, let step):
            if let board = Array(boards.indices).around(number) { perform(step, as: board) }
        case .use(let use):
            perform(use)
        }
    }

    func perform(_ step: Step, as board: Int) {
        guard hasFuel() else { return }
        let isLive = boards[board].phase == .live
        let motherboard = boards[board].motherboard
        switch step {
        case .send(let output):
            // B3: validity is judged when sent.
            guard isLive else { return raise(.droppedOutput, boards[board].name) }
            let isOutermost = openTurn()
            queue.append(.output(output, from: board))
            closeTurn(isOutermost)
        case .action(let signal, let value):
            guard isLive else { return raise(.droppedOutput, boards[board].name) }
            sendAction(signal, value, from: boards[board].name, at: motherboard)
        case .next(let name, let input):
            if isLive {
                activate(name, with: input, on: motherboard)
            } else {
                let visit = Visit(name: name, motherboard: motherboard, input: input, outside: .ownerGone)
                visits.append(visit)
                handles.append(visits.count - 1)
                noteState(of: handles.count - 1)
            }
        case .tell(let name, let command):
            if isLive { tell(name, command, on: motherboard) } else { note(.answer(.ownerGone)) }
        case .end(let ending):
            complete(board, ending)
        case .pair(let lifetime):
            tie(lifetime, to: board, isComponent: false)
        case .keep(let lifetime):
            tie(lifetime, to: board, isComponent: true)
        case .inside(let operation):
            perform(operation, on: nested(in: board))
        case .use(let use):
            perform(use)
        }
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
        }
    }

    // MARK: Flows

    private func draw(_ drawing: Drawing, on motherboard: Int) {
        let flow = flows
        flows += 1
        func listener(_ hears: Listener.Hears, _ does: Listener.Does) -> Listener {
            Listener(flow: flow, motherboard: motherboard, hears: hears, does: does)
        }
        switch drawing {
        case .handler(let names, let routine):
            listeners += names.map { listener(.outputs($0), .routine(routine, tellsSender: names.count > 1)) }
        case .weak(let name, let routine):
            targets.append(true)
            listeners.append(listener(.outputs(name), .routineAtTarget(routine, target: targets.count - 1)))
        case .steps(let names):
            listeners += zip(names, names.dropFirst()).map { listener(.outputs($0), .activate($1)) }
        case .mapping(let name, let next, let inputs):
            listeners.append(listener(.outputs(name), .activateMapped(next, inputs)))
        case .combined(let names, let strategy, let routine):
            listeners += names.map { listener(.outputs($0), .combine(combinations.count)) }
            combinations.append(
                Combination(flow: flow, motherboard: motherboard, names: names, strategy: strategy, routine: routine)
            )
        case .completion(let name, let routine):
            listeners.append(listener(.completions(name), .routine(routine, tellsSender: false)))
        case .general(let signal, let verdict, let routine):
            listeners.append(listener(.actions(signal), .judge(verdict ?? .handled, routine: routine)))
        }
    }

    private func removeFlow(_ flow: Int) {
        for index in listeners.indices where listeners[index].flow == flow { listeners[index].isRemoved = true }
    }

    // MARK: Actions and commands

    private func sendAction(_ signal: Signal, _ value: Int, from sender: Name?, at motherboard: Int) {
        if motherboards[motherboard].isCompleted, parent(of: motherboard) == nil { return }
        let isOutermost = openTurn()
        queue.append(.action(signal, value, from: sender, at: motherboard))
        closeTurn(isOutermost)
    }

    /// B26: a command reaches live boards only and never makes one.
    private func tell(_ name: Name, _ command: Int, on motherboard: Int) {
        if motherboards[motherboard].isCompleted { return note(.answer(.ownerGone)) }
        let isOutermost = openTurn()
        let boards = live(name, on: motherboard)
        let isRegistered = plan(of: name, on: motherboard) != nil
        var reached = 0
        for board in boards where self.boards[board].phase == .live {
            reached += 1
            obey(board, command)
        }
        closeTurn(isOutermost)
        note(.answer(!boards.isEmpty ? .delivered(reached) : isRegistered ? .notLive : .noSuchBoard))
    }

    private func tell(visit: Int, _ command: Int) {
        guard let board = liveBoard(of: visits[visit]) else {
            switch state(of: visits[visit]) {
            case .noSuchBoard: note(.answer(.noSuchBoard))
            case .ownerGone: note(.answer(.ownerGone))
            default: note(.answer(.notLive))
            }
            return
        }
        let isOutermost = openTurn()
        obey(board, command)
        closeTurn(isOutermost)
        note(.answer(.delivered(1)))
    }

    private func obey(_ board: Int, _ command: Int) {
        note(.told(board: board, command))
        let reactions = script.plans[boards[board].plan].whenTold
        for step in reactions.around(command) ?? [] { perform(step, as: board) }
    }
}
