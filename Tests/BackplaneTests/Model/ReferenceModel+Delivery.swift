import Backplane

/// What was sent reaches its listeners.
extension ReferenceModel {
    func deliver(_ delivery: Delivery) {
        switch delivery {
        case .output(let output, let board): deliver(output, from: board)
        case .ending(let ending, let board): deliver(ending, of: board)
        case .action(let signal, let value, let sender, let motherboard):
            deliver(signal, value, from: sender, at: motherboard)
        case .forget(let motherboard): forget(motherboard)
        }
    }

    /// B15: the flows registered now, in that order.
    private func listeners(to message: Listener.Hears, on motherboard: Int) -> [Int] {
        listeners.indices.filter {
            !listeners[$0].isRemoved && listeners[$0].motherboard == motherboard && listeners[$0].hears == message
        }
    }

    private func deliver(_ output: Int, from board: Int) {
        let (name, motherboard) = (boards[board].name, boards[board].motherboard)
        let flows = listeners(to: .outputs(name), on: motherboard)
        // B21
        if flows.isEmpty, boards[board].run?.waiting.isEmpty ?? true { return raise(.unhandledOutput, name) }
        for index in flows where !listeners[index].isRemoved {
            let flow = listeners[index].flow
            switch listeners[index].does {
            case .routine(let routine, let tellsSender):
                note(.heard(flow: flow, output, from: tellsSender ? name : nil, on: motherboard))
                perform(routine: routine, on: motherboard)
            case .routineAtTarget(let routine, let target):
                if targets[target] {
                    note(.heard(flow: flow, output, from: nil, on: nil))
                    perform(routine: routine, on: motherboard)
                } else {
                    // B16: it goes with its target, which is noticed when it would fire.
                    listeners[index].isRemoved = true
                }
            case .activate(let next):
                visitBoard(next, with: output, on: motherboard)
            case .activateMapped(let next, let inputs):
                // B18: nil activates nothing.
                if let input = inputs.around(output) ?? nil {
                    visitBoard(next, with: next.input(input), on: motherboard)
                }
            case .combine(let number):
                combine(output, from: name, in: number)
            case .judge:
                break
            }
        }
        judge(output, of: board)
    }

    /// B19: keyed by identity, the last value wins.
    private func combine(_ output: Int, from name: Name, in number: Int) {
        combinations[number].heard[name] = output
        let combination = combinations[number]
        let outputs = combination.names.compactMap { combination.heard[$0] }
        guard outputs.count == combination.names.count else { return }
        if combination.strategy == .batch { combinations[number].heard = [:] }
        note(.heardAll(flow: combination.flow, outputs, on: combination.motherboard))
        perform(routine: combination.routine, on: combination.motherboard)
    }

    private func deliver(_ ending: Ending, of board: Int) {
        let (name, motherboard) = (boards[board].name, boards[board].motherboard)
        switch ending {
        case .done: denyAll(at: board, .gateDone)
        case .cancelled:
            let isMotherboardOver = motherboards[motherboard].isCompleted
            denyAll(at: board, isMotherboardOver ? .ownerGone : .gateCancelled)
        case .failed: denyAll(at: board, .gateFailed)
        }
        for (number, combination) in combinations.enumerated()
        where combination.motherboard == motherboard && combination.names.contains(name) {
            if ending != .done || combination.strategy == .latest { combinations[number].heard = [:] }
        }
        for index in listeners(to: .completions(name), on: motherboard) where !listeners[index].isRemoved {
            guard case .routine(let routine, _) = listeners[index].does else { continue }
            note(.heardEnding(flow: listeners[index].flow, ending, on: motherboard))
            perform(routine: routine, on: motherboard)
        }
    }

    /// B22: level by level, until somebody handles it.
    private func deliver(_ signal: Signal, _ value: Int, from sender: Name?, at motherboard: Int) {
        var next: Int? = motherboard
        while let level = next {
            for index in listeners(to: .actions(signal), on: level) where !listeners[index].isRemoved {
                guard case .judge(let verdict, let routine) = listeners[index].does else { continue }
                note(.heardAction(flow: listeners[index].flow, value, on: level))
                perform(routine: routine, on: level)
                if verdict == .handled { return }
            }
            next = parent(of: level)
        }
        raise(.unhandledAction, sender)
    }

    private func forget(_ motherboard: Int) {
        motherboards[motherboard].plans = [:]
        motherboards[motherboard].gates = [:]
        motherboards[motherboard].generalGate = nil
        motherboards[motherboard].fallback = nil
        for index in listeners.indices where listeners[index].motherboard == motherboard {
            listeners[index].isRemoved = true
        }
        if motherboard == 0 { isObserved = false }
    }
}
