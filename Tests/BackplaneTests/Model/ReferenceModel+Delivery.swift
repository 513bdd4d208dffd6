import Backplane

/// Deliveries to listeners.
extension ReferenceModel {
    func deliver(_ delivery: Delivery) {
        acting(for: []) {
            switch delivery {
            case .output(let output, let board, let run, let actsFor):
                // A faulty model uses the run that the board answers now, and not the run that it
                // answered when it sent the output.
                let isFaulty = faults.contains(.outputCountsForWrongRun)
                deliver(output, from: board, for: isFaulty ? boards[board].answers : run, actingFor: actsFor)
            case .ending(let ending, let board): deliver(ending, of: board)
            case .action(let signal, let value, let sender, let motherboard, let runs):
                acting(for: runs) { deliver(signal, value, from: sender, at: motherboard) }
            case .denial(let denial, let motherboard): deliver(denial, on: motherboard)
            case .superseded(let run, let waiters): denySuperseded(waiters, in: run)
            case .entrance(let scope, let input, let motherboard, let use):
                enter(scope, with: input, at: motherboard, use: use)
            case .forget(let motherboard): forget(motherboard)
            }
        }
    }

    /// B15: Returns the flows that are registered now, in order of registration.
    private func listeners(to message: Listener.Hears, on motherboard: Int) -> [Int] {
        listeners.indices.filter {
            !listeners[$0].isRemoved && listeners[$0].motherboard == motherboard && listeners[$0].hears == message
        }
    }

    /// B32: Delivers an output to the flows and then to the run.
    private func deliver(_ output: Int, from board: Int, for run: Int?, actingFor actsFor: [Int]) {
        let name = boards[board].name
        let flows = reach(of: name, on: boards[board].motherboard).flatMap { listeners(to: .outputs(name), on: $0) }
        let isAwaited = run.map { !runs[$0].waiters.isEmpty } ?? false
        // B21: An output without a receiver raises an event.
        if flows.isEmpty, !isAwaited, entered(by: board).isEmpty { return raise(.unhandledOutput, name) }
        // B56: The output enters scopes behind everything sent before, unless a waiting activation
        // uses it.
        var uses: [Name: Int] = [:]
        for (scope, home) in entered(by: board) {
            guard let input = entrance(of: scope)?.entrance?.input(for: output) else { continue }
            uses[scope] = self.uses.count
            queue.append(.entrance(scope: scope, input, at: home, use: self.uses.count))
            self.uses.append(EntranceOutput(home: home))
        }
        // B49: Flows act for the runs that the sender acted for when it sent the output.
        acting(for: actsFor) { fire(flows, output, from: board) }
        if let run { judge(output, in: run, uses: uses) }
    }

    private func fire(_ flows: [Int], _ output: Int, from board: Int) {
        let name = boards[board].name
        for index in flows where !listeners[index].isRemoved {
            let (flow, motherboard) = (listeners[index].flow, listeners[index].motherboard)
            switch listeners[index].does {
            case .routine(let routine, _):
                note(.heard(flow: flow, output, on: motherboard))
                perform(routine: routine, on: motherboard)
            case .routineAtTarget(let routine, let target):
                if targets[target] {
                    note(.heard(flow: flow, output, on: nil))
                    perform(routine: routine, on: motherboard)
                } else {
                    // B16: The flow ends with its target, which is noticed at the next delivery.
                    listeners[index].isRemoved = true
                }
            case .activate(let next):
                visitBoard(next, with: output, on: motherboard)
            case .activateMapped(let next, let inputs):
                // B18: `nil` activates nothing.
                if let input = inputs.around(output) ?? nil {
                    visitBoard(next, with: next.input(input), on: motherboard)
                }
            case .combine(let number):
                combine(output, from: name, in: number)
            case .judge:
                break
            }
        }
    }

    /// B19: Stores the last output under its ID and fires when every ID has an output.
    private func combine(_ output: Int, from name: Name, in number: Int) {
        combinations[number].heard[name] = output
        let combination = combinations[number]
        let outputs = combination.names.compactMap { combination.heard[$0] }
        guard outputs.count == combination.names.count else { return }
        if !combination.keepsLatest { combinations[number].heard = [:] }
        note(.heardAll(flow: combination.flow, outputs, on: combination.motherboard))
        perform(routine: combination.routine, on: combination.motherboard)
    }

    /// B32: Denies the waiters of the run that the board answered, then calls completion flows.
    private func deliver(_ ending: Ending, of board: Int) {
        let (name, motherboard) = (boards[board].name, boards[board].motherboard)
        let run = boards[board].answers
        let isAwaited = run.map { !runs[$0].waiters.isEmpty } ?? false
        let reach = reach(of: name, on: motherboard)
        if let run { denyEntrants(of: run, reason(of: ending, on: motherboard)) }
        // B62: With `keepingLatest`, only the output of the ended board is discarded. Otherwise the
        // flow starts again unless that board was done.
        for (number, combination) in combinations.enumerated()
        where reach.contains(combination.motherboard) && combination.names.contains(name) {
            if combination.keepsLatest {
                combinations[number].heard[name] = nil
            } else if ending != .done {
                combinations[number].heard = [:]
            }
        }
        let flows = reach.flatMap { listeners(to: .completions(name), on: $0) }
        // B64: A failure without a receiver raises an event.
        if ending == .failed, flows.isEmpty, !isAwaited { raise(.unhandledFailure, name) }
        let handle = handles.firstIndex { visits[$0].inside?.activation == boards[board].activation }
        for index in flows where !listeners[index].isRemoved {
            guard case .routine(let routine, let tellsActivation) = listeners[index].does else { continue }
            let (flow, motherboard) = (listeners[index].flow, listeners[index].motherboard)
            note(.heardEnding(flow: flow, ending, handle: tellsActivation ? handle : nil, on: motherboard))
            perform(routine: routine, on: motherboard)
        }
    }

    func reason(of ending: Ending, on motherboard: Int) -> Denial.Reason {
        switch ending {
        case .done: .gateDone
        case .cancelled: motherboards[motherboard].isCompleted ? .ownerGone : .gateCancelled
        case .failed: .gateFailed
        }
    }

    /// B51: Calls all denial flows of the nearest level that has any.
    private func deliver(_ denial: Denial, on motherboard: Int) {
        let levels = path(to: motherboard).reversed()
        guard let level = levels.first(where: { !listeners(to: .denials, on: $0).isEmpty }) else { return }
        for index in listeners(to: .denials, on: level) where !listeners[index].isRemoved {
            guard case .routine(let routine, _) = listeners[index].does else { continue }
            note(.heardDenial(flow: listeners[index].flow, denial, on: level))
            perform(routine: routine, on: level)
        }
    }

    /// B22: Delivers an action level by level, until a handler handles it.
    private func deliver(_ signal: Signal, _ value: Int, from sender: Name?, at motherboard: Int) {
        var next: Int? = motherboard
        while let level = next {
            for index in listeners(to: .actions(signal), on: level) where !listeners[index].isRemoved {
                guard case .judge(let handles, let routine) = listeners[index].does else { continue }
                note(.heardAction(flow: listeners[index].flow, value, on: level))
                perform(routine: routine, on: level)
                if handles { return }
            }
            next = parent(of: level)
        }
        raise(.unhandledAction, sender)
    }
}
