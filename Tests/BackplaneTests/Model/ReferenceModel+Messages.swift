import Backplane

/// Flows, actions and commands.
extension ReferenceModel {
    // MARK: Flows

    func draw(_ drawing: Drawing, on motherboard: Int) {
        let flow = flows
        flows += 1
        func listener(_ hears: Listener.Hears, _ does: Listener.Does) -> Listener {
            Listener(flow: flow, motherboard: motherboard, hears: hears, does: does)
        }
        switch drawing {
        case .handler(let name, let routine):
            listeners.append(listener(.outputs(name), .routine(routine, tellsActivation: false)))
        case .weak(let name, let routine):
            targets.append(true)
            listeners.append(listener(.outputs(name), .routineAtTarget(routine, target: targets.count - 1)))
        case .steps(let names):
            listeners += zip(names, names.dropFirst()).map { listener(.outputs($0), .activate($1)) }
        case .mapping(let name, let next, let inputs):
            listeners.append(listener(.outputs(name), .activateMapped(next, inputs)))
        case .combined(let names, let keepsLatest, let routine):
            listeners += names.map { listener(.outputs($0), .combine(combinations.count)) }
            combinations.append(
                Combination(
                    flow: flow,
                    motherboard: motherboard,
                    names: names,
                    keepsLatest: keepsLatest,
                    routine: routine
                )
            )
        case .completion(let name, let tellsActivation, let routine):
            listeners.append(listener(.completions(name), .routine(routine, tellsActivation: tellsActivation)))
        case .denial(let routine):
            listeners.append(listener(.denials, .routine(routine, tellsActivation: false)))
        case .general(let signal, let handles, let routine):
            listeners.append(listener(.actions(signal), .judge(handles ?? true, routine: routine)))
        }
    }

    func removeFlow(_ flow: Int) {
        for index in listeners.indices where listeners[index].flow == flow { listeners[index].isRemoved = true }
    }

    // MARK: Actions and commands

    func sendAction(_ signal: Signal, _ value: Int, from sender: Name?, at motherboard: Int) {
        if motherboards[motherboard].isCompleted, parent(of: motherboard) == nil { return }
        // B49: The handlers act for the runs of the sender. Without a sender, they act for the runs
        // that an activation here acts for.
        let hosts = sender == nil ? path(to: motherboard).compactMap { motherboards[$0].host } : []
        let actsFor = actingFor + hosts.flatMap { boards[$0].actsFor }
        turn { queue.append(.action(signal, value, from: sender, at: motherboard, actingFor: actsFor)) }
    }

    /// B26: Delivers a command to live boards only, and never creates a board.
    func tell(_ name: Name, _ command: Int, on motherboard: Int) {
        if motherboards[motherboard].isCompleted { return note(.answer(.ownerGone)) }
        // B56: A command reaches the board inside a live scope.
        let place = place(of: name, from: motherboard).motherboard
        let isRegistered = place.map { plan(of: name, on: $0) != nil } ?? true
        let told = place.map { live(name, on: $0) } ?? []
        var reached = 0
        turn {
            for board in told where boards[board].phase == .live {
                reached += 1
                obey(board, command)
            }
        }
        note(.answer(!told.isEmpty ? .delivered(reached) : isRegistered ? .notLive : .noSuchBoard))
    }

    func tell(visit: Int, _ command: Int) {
        if let board = liveBoard(of: visit) {
            turn { obey(board, command) }
            return note(.answer(.delivered(1)))
        }
        switch state(of: visit) {
        case .noSuchBoard: note(.answer(.noSuchBoard))
        case .ownerGone: note(.answer(.ownerGone))
        default: note(.answer(.notLive))
        }
    }

    private func obey(_ board: Int, _ command: Int) {
        note(.told(board: board, command))
        perform(script.plans[boards[board].plan].whenTold.around(command) ?? [], as: board)
    }
}
