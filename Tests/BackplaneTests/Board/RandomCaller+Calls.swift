import Backplane
import TestSupport

extension RandomCaller {
    /// Calls one random entry point.
    func callOnce() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: activate()
        case 25..<50: if let slot = pick(slots) { use(slot) }
        case 50..<60: useActivation()
        case 60..<68: if let motherboard { listen(on: motherboard) }
        case 68..<76: if let motherboard { gate(on: motherboard) }
        case 76..<82: if let motherboard { observe(motherboard) }
        case 82..<88: if let motherboard { look(at: motherboard) }
        case 88..<93: if let motherboard { end(motherboard) }
        case 93..<96: dropOfSomething()
        default: bind()
        }
    }

    private func activate() {
        // A factory must not activate the board that it creates. Every activation is skipped
        // meanwhile, because it is unknown which boards an activation leads to.
        guard factories == 0, let motherboard else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: keep(motherboard.activate(pulse, with: parcel), in: \.pulses)
        case 5..<7: if let slot = pick(slots) { keep(slot.nextToBoard(pulse, with: parcel), in: \.pulses) }
        case 7: motherboard.open(pick(["/pulse/1", "/pulse/x", "/nothing"]) ?? "")
        case 8: if chance(70) { awaitResult(motherboard, parcel) } else { pick(waiters)?.cancel() }
        default:
            if chance(50) {
                keep(motherboard.outputs(of: pulse, with: parcel), in: \.outputs)
            } else if let snapshot = pick(snapshots) {
                motherboard.restore(snapshot)
            } else {
                motherboard.activate(BoardID<Pulse>("nothing"), with: parcel)
            }
        }
    }

    private func use(_ slot: Slot<Pulse>) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6: slot.send(parcel)
        case 6: slot.sendAction(Alarm(parcel: parcel))
        case 7: slot.send(parcel, to: pulse)
        case 8: slot.complete(completion)
        case 9:
            let ghost = makeGhost()
            slot.task {
                await Task.yield()
                ghost.call()
                if ghost.caller?.chance(20) ?? false { throw Oops() }
            }
        case 10: _ = slot.isLive(pulse)
        default: keep(slot.inner)
        }
    }

    private func useActivation() {
        if let activation = pick(pulses), chance(80) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: activation.complete(completion)
            case 1: activation.send(parcel)
            case 2: _ = activation.state
            default: _ = pulses.contains(activation)
            }
        } else if let motherboard {
            motherboard.send(parcel, to: pulse)
        }
    }

    private func listen(on motherboard: Motherboard) {
        let ghost = makeGhost()
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<2: keep(motherboard.registerFlow(from: pulse) { _, _ in ghost.call() }, in: \.registrations)
        case 2:
            let flow = motherboard.registerFlow(from: pulse, to: pulse) { parcel in
                ghost.call()
                return ghost.caller?.fuel ?? 0 > 0 ? parcel : nil
            }
            keep(flow, in: \.registrations)
        case 3: keep(motherboard.registerCompletionFlow(pulse) { _, _, _ in ghost.call() }, in: \.registrations)
        case 4:
            let flow = motherboard.registerCompletionFlow(pulse, weak: target) { target, _ in target.call() }
            keep(flow, in: \.registrations)
        case 5: keep(motherboard.registerDenialFlow { _, _ in ghost.call() }, in: \.registrations)
        case 6: keep(motherboard.registerDenialFlow(weak: target) { target, _ in target.call() }, in: \.registrations)
        case 7: keep(motherboard.registerGeneralFlow { (_: Alarm, _) in ghost.call() }, in: \.registrations)
        case 8:
            let flow = motherboard.registerBubblingFlow { (_: Alarm, _) in
                ghost.call()
                return false
            }
            keep(flow, in: \.registrations)
        case 9:
            let flow = motherboard.registerFlow(from: pulse, weak: target) { target, _ in target.call() }
            keep(flow, in: \.registrations)
        case 10:
            let flow = motherboard.registerCombinedFlow(pulse, pulse, keepingLatest: chance(50)) { _, _, _ in
                ghost.call()
            }
            keep(flow, in: \.registrations)
        case 11: motherboard.registerFallback { _, _ in ghost.call() }
        default: if let registration = pick(registrations) { motherboard.remove(registration) }
        }
    }

    private var target: Ghost {
        let target = makeGhost()
        keep(target, in: \.targets)
        return target
    }

    private func gate(on motherboard: Motherboard) {
        let ghost = makeGhost()
        let verdict: (Parcel) -> GateVerdict = { _ in
            ghost.call()
            return ghost.caller?.verdict ?? .closed
        }
        let unless: () -> Bool = {
            ghost.call()
            return ghost.caller?.chance(30) ?? true
        }
        let asking: (Parcel) -> Parcel? = { _ in
            ghost.call()
            return ghost.caller.flatMap { $0.chance(70) ? $0.parcel : nil }
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3: motherboard.gate(pulse, by: pulse, with: parcel, unless: unless, replacing: true, verdict: verdict)
        case 3: motherboard.gate(pulse, by: pulse, asking: asking, replacing: true, verdict: verdict)
        case 4:
            let (gate, exempt) = (pulse, pulse)
            motherboard.gateAll(
                by: gate,
                with: parcel,
                except: exempt,
                unless: unless,
                replacing: true,
                verdict: verdict
            )
        default: register(pulse, on: motherboard)
        }
    }

    private func observe(_ motherboard: Motherboard) {
        let ghost = makeGhost()
        switch Int.random(in: 0..<6, using: &random) {
        case 0: keep(motherboard.observe { _ in ghost.call() }, in: \.registrations)
        case 1: keep(motherboard.observe(pulse) { _ in ghost.call() }, in: \.registrations)
        case 2: keep(motherboard.recordEvents { _ in ghost.call() }, in: \.registrations)
        default: if let registration = pick(registrations) { motherboard.remove(registration) }
        }
    }

    private func look(at motherboard: Motherboard) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: keep(motherboard.snapshot(), in: \.snapshots)
        case 1: _ = motherboard.graph().mermaid
        case 2: _ = motherboard.liveCount(of: pulse)
        default: _ = motherboard.isLive(pulse)
        }
    }

    private func end(_ motherboard: Motherboard) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<14: motherboard.complete(pulse, completion)
        case 14..<17: motherboard.completeAllBoards()
        case 17: if motherboard !== root || chance(20) { motherboard.complete() }
        case 18: if chance(20) { dropOfRoot() }
        default: register(pulse, on: motherboard)
        }
    }

    private func dropOfSomething() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: drop(from: \.slots)
        case 1: drop(from: \.pulses)
        case 2: drop(from: \.registrations)
        case 3: drop(from: \.outputs)
        case 4: drop(from: \.targets)
        default: drop(from: \.snapshots)
        }
    }

    private func bind() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            guard let slot = pick(slots) else { return }
            let owner = Owner(self)
            keep(owner, in: \.owners)
            slot.keep(makeGhost(), for: owner)
        case 1: if let slot = pick(slots), let owner = pick(owners) { slot.pair(with: owner) }
        case 2: pick(owners)?.lifetime.end()
        case 3: drop(from: \.owners)
        case 4: if let slot = pick(slots) { keep(Bus(for: slot), in: \.buses) }
        case 5:
            guard let bus = pick(buses) else { return }
            let ghost = makeGhost()
            bus.connect(target) { target, _ in
                ghost.call()
                target.call()
            }
        case 6: pick(buses)?.send(parcel)
        default: drop(from: \.buses)
        }
    }
}
