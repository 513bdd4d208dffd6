import Backplane
import TestSupport

extension RandomCaller {
    /// Calls one random entry point.
    func callOnce() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: activate()
        case 25..<50: useSlot()
        case 50..<60: useActivation()
        case 60..<68: listen()
        case 68..<76: gate()
        case 76..<82: observe()
        case 82..<88: look()
        case 88..<93: end()
        case 93..<96: dropOfSomething()
        default: if callsTies { bind() } else { useSlot() }
        }
    }

    private func activate() {
        // A factory must not activate the board that it creates. Every activation is skipped
        // meanwhile, because it is unknown which boards an activation leads to.
        guard factories == 0, let motherboard else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: keep(motherboard.activate(pulse, with: parcel), in: \.pulses)
        case 3..<5: keep(motherboard.activate(ring), in: \.rings)
        case 5: if let plug = pick(plugs) { keep(plug.activateSibling(pulse, with: parcel), in: \.pulses) }
        case 6: if let plug = pick(plugs) { keep(plug.activateSibling(ring), in: \.rings) }
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

    private func useSlot() {
        guard let plug = pick(plugs) else { return }
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6: plug.send(parcel)
        case 6: plug.sendAlarm(Alarm(parcel: parcel))
        case 7: plug.sendCommand(parcel, to: pulse)
        case 8: plug.complete(completion)
        case 9: plug.work(self)
        case 10: _ = plug.isLive(pulse)
        default: keep(plug.inner)
        }
    }

    private func useActivation() {
        if let pulse = pick(pulses), chance(60) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: pulse.complete(completion)
            case 1: pulse.send(parcel)
            case 2: _ = pulse.state
            default: _ = pulses.contains(pulse)
            }
        } else if let ring = pick(rings) {
            if chance(50) { ring.complete(completion) } else { ring.send(parcel) }
        } else if let motherboard {
            motherboard.send(parcel, to: pulse)
        }
    }

    private func listen() {
        guard let motherboard else { return }
        let ghost = makeGhost()
        let token: Registration? =
            switch Int.random(in: 0..<13, using: &random) {
            case 0: motherboard.registerFlow(from: pulse) { _, _ in ghost.call() }
            case 1: motherboard.registerFlow(from: ring) { _, _ in ghost.call() }
            case 2:
                motherboard.registerFlow(from: pulse, to: self.pulse) { parcel in
                    ghost.call()
                    return ghost.caller?.fuel ?? 0 > 0 ? parcel : nil
                }
            case 3: motherboard.registerCompletionFlow(pulse) { _, _, _ in ghost.call() }
            case 4: motherboard.registerCompletionFlow(pulse, weak: target) { target, _ in target.call() }
            case 5: motherboard.registerDenialFlow { _, _ in ghost.call() }
            case 6: motherboard.registerDenialFlow(weak: target) { target, _ in target.call() }
            case 7: motherboard.registerGeneralFlow { (_: Alarm, _) in ghost.call() }
            case 8:
                motherboard.registerBubblingFlow { (_: Alarm, _) in
                    ghost.call()
                    return .bubble
                }
            case 9: motherboard.registerFlow(from: pulse, weak: target) { target, _ in target.call() }
            case 10:
                motherboard.registerCombinedFlow(pulse, ring, strategy: chance(50) ? .batch : .latest) { _, _, _ in
                    ghost.call()
                }
            case 11: nil
            default: nil
            }
        if let token { return keep(token, in: \.flows) }
        if chance(50) {
            motherboard.registerFallback { _, _ in ghost.call() }
        } else if let token = pick(flows) {
            motherboard.remove(token)
        }
    }

    private var target: Ghost {
        let target = makeGhost()
        keep(target, in: \.targets)
        return target
    }

    private func gate() {
        guard let motherboard else { return }
        let ghost = makeGhost()
        let verdict: (Parcel) -> GateVerdict = { _ in
            ghost.call()
            return ghost.caller?.verdict ?? .closed
        }
        let unless: () -> Bool = {
            ghost.call()
            return ghost.caller?.chance(30) ?? true
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: motherboard.gate(pulse, by: ring, unless: unless, replacing: true, verdict: verdict)
        case 1: motherboard.gate(pulse, by: pulse, with: parcel, unless: unless, replacing: true, verdict: verdict)
        case 2: motherboard.gate(ring, by: ring, unless: unless, replacing: true, verdict: verdict)
        case 3:
            motherboard.gate(
                pulse,
                by: pulse,
                asking: { _ in
                    ghost.call()
                    return ghost.caller.flatMap { $0.chance(70) ? $0.parcel : nil }
                },
                replacing: true,
                verdict: verdict
            )
        case 4: motherboard.gateAll(by: ring, except: pulse, ring, unless: unless, replacing: true, verdict: verdict)
        default: register(pulse, on: motherboard)
        }
    }

    private func observe() {
        guard let motherboard else { return }
        let ghost = makeGhost()
        switch Int.random(in: 0..<6, using: &random) {
        case 0: keep(motherboard.observe { _ in ghost.call() }, in: \.observers)
        case 1: keep(motherboard.observe(pulse) { _ in ghost.call() }, in: \.observers)
        case 2: keep(motherboard.recordEvents { _ in ghost.call() }, in: \.observers)
        default: if let token = pick(observers) { motherboard.remove(token) }
        }
    }

    private func look() {
        guard let motherboard else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: keep(motherboard.snapshot(), in: \.snapshots)
        case 1: _ = motherboard.graph().mermaid
        case 2: _ = motherboard.liveCount(of: pulse)
        default: _ = motherboard.isLive(ring)
        }
    }

    private func end() {
        guard let motherboard else { return }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: motherboard.complete(pulse, completion)
        case 8..<14: motherboard.complete(ring, completion)
        case 14..<17: motherboard.completeAllBoards()
        case 17: if motherboard !== root || chance(20) { motherboard.complete() }
        case 18: if chance(20) { dropOfRoot() }
        default: register(ring, on: motherboard)
        }
    }

    private func dropOfSomething() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: drop(from: \.plugs)
        case 1: drop(from: \.pulses)
        case 2: drop(from: \.rings)
        case 3: drop(from: \.flows)
        case 4: drop(from: \.observers)
        case 5: drop(from: \.outputs)
        case 6: drop(from: \.targets)
        default: drop(from: \.snapshots)
        }
    }

    private func bind() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            guard let plug = pick(plugs) else { return }
            let owner = Owner(self)
            keep(owner, in: \.owners)
            plug.keep(makeGhost(), for: owner)
        case 1: if let plug = pick(plugs), let owner = pick(owners) { plug.pair(with: owner) }
        case 2: pick(owners)?.lifetime.end()
        case 3: drop(from: \.owners)
        case 4: if let plug = pick(plugs) { keep(plug.makeBus(), in: \.buses) }
        case 5:
            let ghost = makeGhost()
            if let bus = pick(buses) {
                keep(
                    bus.connect(target) { target, _ in
                        ghost.call()
                        target.call()
                    },
                    in: \.connections
                )
            }
        case 6: pick(buses)?.send(parcel)
        default: if chance(50) { pick(connections)?.disconnect() } else { drop(from: \.buses) }
        }
    }
}
