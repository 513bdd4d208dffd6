import Backplane

/// Flows in scripts.
extension ScriptPlayer {
    func draw(_ drawing: Drawing, on motherboard: Motherboard) {
        let flow = flows.count
        let token =
            switch drawing {
            case .handler(let name, let routine): handler(name.id, routine, flow, on: motherboard)
            case .weak(let name, let routine): weakHandler(name.id, routine, flow, on: motherboard)
            case .steps(let names): steps(names, first: names[0].id, on: motherboard)
            case .mapping(let name, let next, let inputs): mapping(name.id, next.id, inputs, on: motherboard)
            case .combined(let names, let keepsLatest, let routine):
                combined(names, keepsLatest, routine, flow, on: motherboard)
            case .completion(let name, let tellsActivation, let routine):
                completion(name.id, tellsActivation, routine, flow, on: motherboard)
            case .denial(let routine): denial(routine, flow, on: motherboard)
            case .general(.flare, let handles, let routine):
                general(Flare.self, \.value, handles, routine, flow, on: motherboard)
            case .general(.beacon, let handles, let routine):
                general(Beacon.self, \.value, handles, routine, flow, on: motherboard)
            }
        flows.append((token, motherboard))
    }

    private func hear(_ fact: Fact, _ routine: Int, _ motherboard: Motherboard) {
        note(fact)
        perform(routine: routine, on: motherboard)
    }

    private func handler(
        _ source: some ScriptedID,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> Registration {
        motherboard.registerFlow(from: source.id) { output, given in
            self.hear(.heard(flow: flow, output.number, on: self.number(of: given)), routine, given)
        }
    }

    private func weakHandler(
        _ target: some ScriptedID,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> Registration {
        let held = Target()
        targets.append(held)
        return motherboard.registerFlow(from: target.id, weak: held) { [unowned motherboard] _, output in
            self.hear(.heard(flow: flow, output.number, on: nil), routine, motherboard)
        }
    }

    private func steps(_ names: [Name], first: some ScriptedID, on motherboard: Motherboard) -> Registration {
        let two = first.id ->>> names[1].counting
        return motherboard.registerFlowSteps(names.count == 2 ? two : (two ->>> names[2].counting))
    }

    private func mapping<Next: ScriptedID>(
        _ target: some ScriptedID,
        _ next: Next,
        _ inputs: [Int?],
        on motherboard: Motherboard
    ) -> Registration {
        motherboard.registerFlow(from: target.id, to: next.id) { output in
            (inputs.around(output.number) ?? nil).map(Next.Contract.input)
        }
    }

    private func combined(
        _ names: [Name],
        _ keepsLatest: Bool,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> Registration {
        let handle = { (given: Motherboard, outputs: [MarkedNumber]) in
            self.hear(.heardAll(flow: flow, outputs.map(\.number), on: self.number(of: given)), routine, given)
        }
        func two(_ first: some ScriptedID, _ second: some ScriptedID) -> Registration {
            motherboard.registerCombinedFlow(first.id, second.id, keepingLatest: keepsLatest) { given, one, two in
                handle(given, [one, two])
            }
        }
        func three(_ first: some ScriptedID, _ second: some ScriptedID, _ third: some ScriptedID) -> Registration {
            motherboard.registerCombinedFlow(first.id, second.id, third.id, keepingLatest: keepsLatest) {
                given,
                one,
                two,
                three in
                handle(given, [one, two, three])
            }
        }
        return names.count == 2
            ? two(names[0].id, names[1].id) : three(names[0].id, names[1].id, names[2].id)
    }

    private func completion(
        _ target: some ScriptedID,
        _ tellsActivation: Bool,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> Registration {
        let handle = { (completion: Completion, handle: Int?, given: Motherboard) in
            let fact = Fact.heardEnding(flow: flow, Ending(completion), handle: handle, on: self.number(of: given))
            self.hear(fact, routine, given)
        }
        if !tellsActivation {
            return motherboard.registerCompletionFlow(target.id) { completion, given in
                handle(completion, nil, given)
            }
        }
        return motherboard.registerCompletionFlow(target.id) { completion, activation, given in
            handle(completion, self.handles.firstIndex { $0.isSame(as: activation) }, given)
        }
    }

    private func denial(_ routine: Int, _ flow: Int, on motherboard: Motherboard) -> Registration {
        motherboard.registerDenialFlow { denial, given in
            self.hear(.heardDenial(flow: flow, denial, on: self.number(of: given)), routine, given)
        }
    }

    private func general<Action: BoardFlowAction>(
        _ type: Action.Type,
        _ value: @escaping (Action) -> Int,
        _ handles: Bool?,
        _ routine: Int,
        _ flow: Int,
        on motherboard: Motherboard
    ) -> Registration {
        let handle = { (action: Action, given: Motherboard) in
            self.hear(.heardAction(flow: flow, value(action), on: self.number(of: given)), routine, given)
        }
        guard let handles else { return motherboard.registerGeneralFlow(handle) }
        return motherboard.registerBubblingFlow { (action: Action, given: Motherboard) -> Bool in
            handle(action, given)
            return handles
        }
    }
}
