import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

/// Random orders and reports, compared with a model of the rules.
///
/// `BACKPLANE_SEED=…` sets the seed of the first trace. `BACKPLANE_SEQUENCES=1000000` plays more
/// traces.
@Suite(.timeLimit(.minutes(10))) struct TraceTests {
    @Test(
        .rule("V1", "V3", "V4", "V5", "V8", "V9", "V10", "V11", "V12", "V13", "V16", "V17"),
        .rule("V19", "V20", "V21", "V22", "V23", "V24")
    )
    func `the navigator and the model show equal views for all reports of the host`() async {
        let run = RandomRun(count: 20_000, countVariable: "BACKPLANE_SEQUENCES", seed: 1)
        if let failure = await TraceStage().play(run) { Issue.record(Comment(rawValue: failure)) }
    }

    @Test(arguments: NavigatorModel.Fault.allCases)
    func `the traces detect each wrong rule`(fault: NavigatorModel.Fault) async {
        let run = RandomRun(count: 500, countVariable: "BACKPLANE_FAULTS", seed: 1)
        #expect(await TraceStage(fault: fault).play(run) != nil)
    }
}

/// The part of the rules that a trace is mostly about, because some faults need many events of one
/// kind.
enum Theme: CaseIterable {
    case all, layers, questions
}

private actor TraceStage {
    private let fault: NavigatorModel.Fault?

    init(fault: NavigatorModel.Fault? = nil) {
        self.fault = fault
    }

    func play(_ run: RandomRun) async -> String? {
        for turn in 0..<run.count {
            if turn % 32 == 0 { await run.letOthersRun() }
            let seed = run.seed &+ UInt64(turn)
            if let failure = await play(seed: seed) {
                return "\(failure)\nReplay with BACKPLANE_SEED=\(seed) BACKPLANE_SEQUENCES=1."
            }
        }
        return nil
    }

    private func play(seed: UInt64) async -> String? {
        var random = SeededGenerator(seed: seed)
        let clock = ManualClock()
        let theme = Theme.allCases[random.below(3)]
        let player = NavigatorPlayer(on: self, clock: clock, theme: theme, seed: random.next())
        let host = FakeHost(player.navigator, theme: theme, seed: random.next())
        let questions = Questions(of: player.navigator, on: self, seed: random.next())
        var model = NavigatorModel(fault: fault)
        var story: [String] = []
        _ = host.draw()
        if theme != .all { player.navigator.base.appeared() }
        for _ in 0..<(5 + random.below(30)) {
            switch theme == .questions && random.chance(60) ? 8 + random.below(2) : random.below(10) {
            case 0..<4:
                let order = player.nextOrder()
                if [.uncover, .close].contains(order) { questions.allMayEnd() }
                story.append("\(order)")
                model.farewells = player.farewells
                player.play(order)
                model.take(order)
            case 4: host.touch()
            case 5..<8:
                guard let report = host.nextReport() else { continue }
                let order = order(for: report, to: player)
                story.append(order.map { "\($0)" } ?? "a report about a step")
                host.deliver(report)
                if let order { model.take(order) }
            case 8: questions.touch()
            default:
                await Task.yield()
                if let failure = host.draw() { return (story + [failure]).joined(separator: "\n") }
            }
            if let failure = host.draw() ?? player.violation ?? questions.violation
                ?? difference(player.view, model.view)
            {
                return (story + [failure]).joined(separator: "\n")
            }
        }
        if let failure = await reach(player.navigator, host, clock, byTime: random.chance(30)) { return failure }
        return await questions.finish()
    }

    private func difference(_ view: NavigatorView, _ expected: NavigatorView) -> String? {
        view == expected ? nil : "the rules: \(expected)\nobserved:  \(view)"
    }

    /// Returns what a report means for the places, from what the host sees when it arrives.
    private func order(for report: FakeHost.Report, to player: NavigatorPlayer) -> NavigatorOrder? {
        switch report {
        case .appeared, .uncovered, .stackAppeared, .rootAppeared: return nil
        case .path(let path, let shown, let stack):
            guard let root = stack.root else { return nil }
            let screens = Dictionary(uniqueKeysWithValues: player.places.values.map { ($0.id, $0.screen) })
            return .userPopped(root: root.screen, shown: shown.compactMap { screens[$0] }, path: path.map(\.screen))
        case .closed(let layer, _, let style):
            return layer.style == style ? layer.stack.root.map { .userClosed(root: $0.screen) } : nil
        case .selection(let stack, let layer):
            guard let index = player.navigator.layers.firstIndex(where: { $0 === layer }) else { return nil }
            return .userSelected(layer: index, stack: stack)
        }
    }

    /// Lets the host report honestly, or time pass, until the shown layers are those asked for.
    private func reach(
        _ navigator: Navigator<Int>,
        _ host: FakeHost,
        _ clock: ManualClock,
        byTime: Bool
    ) async -> String? {
        navigator.base.appeared()
        if let failure = host.draw() { return failure }
        for _ in 0..<1000 {
            if host.hasReached { return nil }
            if byTime {
                _ = clock.advanceToNextSleeper()
                host.passTime()
            } else {
                // Each report may begin a step, so the host draws after each.
                for report in host.honestReports() {
                    host.deliver(report)
                    if let failure = host.draw() { return failure }
                    host.passTime()
                }
            }
            // No layer is raised above a dialog.
            host.shown.last?.dialog?.hide()
            if let failure = host.draw() { return failure }
            // The end of a step and of a dialog comes by a hop, which the yield lets through.
            await Task.yield()
            if let failure = host.draw() { return failure }
        }
        return "the shown layers and paths are never those that are asked for"
    }
}
