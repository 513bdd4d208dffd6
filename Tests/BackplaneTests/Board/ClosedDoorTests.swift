import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// Work that is over does nothing, whichever member it uses.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ClosedDoorTests {
    /// The reason why work is over.
    enum End: CaseIterable {
        case superseded
        case replaced
        case completed
        /// The work is superseded, and a task that it has started uses the slot.
        case inherited
    }

    @Test(.rule("B71"), arguments: Door.all)
    func `superseded or completed work has no effect through any member`(door: Door) async {
        for end in End.allCases {
            let expected = await Play(end).run(nil)
            let played = await Play(end).run(door)
            #expect(played.traces == expected.traces, "\(end)")
        }
    }

    // A motherboard's members have their own tests. Here they only show that `inner` is closed.
    @Test(.rule("B71"), arguments: Door.all.filter { $0.type != "Motherboard" })
    func `while the work is current, the same call has an effect or another result`(door: Door) async {
        let expected = await Play(nil).run(nil)
        let played = await Play(nil).run(door)
        let closed = await Play(.superseded).run(door)
        #expect(played.traces != expected.traces || played.result != closed.result)
    }
}

/// One activation whose work uses a door, and everything that can be seen of it.
@MainActor private final class Play {
    private let end: ClosedDoorTests.End?
    private let motherboard = Motherboard.onMain()
    private let journal = Journal()
    private let gate = AsyncLatch()
    private let used = AsyncLatch()
    private let component = Journal()
    private var slot: Slot<Numbers>?
    private var bus: Bus<Int>?
    private var keys: Keys?
    private var door: Door?
    private var result = ""
    private var traces: [String] = []

    init(_ end: ClosedDoorTests.End?) {
        self.end = end
    }

    /// Plays the scene, and returns the result of the door and all traces that the scene leaves.
    func run(_ door: Door?) async -> (result: String, traces: [String]) {
        self.door = door
        furnish()
        let activation = motherboard.activate(.first, with: 1)
        await gate.arrivals(atLeast: 1)
        switch end {
        case .superseded, .inherited: motherboard.activate(.first, with: 2)
        case .replaced: slot?.task(.doors) {}
        case .completed: activation.complete()
        case nil: break
        }
        gate.open()
        await used.wait()
        trace()
        bus?.send(9)
        keys?.screen.lifetime.end()
        for task in keys?.tasks ?? [] { await task.value }
        trace()
        motherboard.complete()
        trace()
        return (result, traces)
    }

    private func furnish() {
        let journal = journal
        motherboard.observe { event in
            let isRefusal: Bool = [.droppedOutput, .undeliveredCommand, .taskEnded].contains(event.kind)
            if !isRefusal { journal.note("\(event.kind) \(event.board?.name ?? "-")") }
        }
        motherboard.registerFlow(from: .first) { output, _ in journal.note("output \(output)") }
        motherboard.registerGeneralFlow { (action: Wish, _) in journal.note("\(action)") }
        motherboard.registerCompletionFlow(.first) { completion, _ in journal.note("\(completion)") }
        motherboard.probe(.second) { _, input in
            journal.note("second \(input)")
        } onCommand: { _, command in
            journal.note("command \(command)")
        }
        motherboard.probe(.third) { _, input in journal.note("third \(input)") }
        motherboard.probe(.doorkeeper)
        motherboard.registerLink("second", to: .second) { _ in 3 }
        motherboard.activate(.second, with: 0)
        motherboard.register(.first) { [unowned self] slot in makeBoard(slot) }
    }

    private func makeBoard(_ slot: Slot<Numbers>) -> ProbeBoard<Numbers> {
        let bus = Bus<Int>(for: slot)
        self.bus = bus
        self.slot = slot
        let (journal, component) = (journal, component)
        return ProbeBoard(slot: slot) { [unowned self] board, input in
            bus.connect(component) { _, value in journal.note("component hears \(value)") }
            if input == 1 { board.task(.doors) { await self.work() } }
        }
    }

    private func work() async {
        await gate.wait()
        if end == .inherited { await Task { await use() }.value } else { await use() }
        used.open()
    }

    private func use() async {
        guard let slot, let bus else { return }
        let keys = Keys(
            slot: slot,
            bus: bus,
            journal: journal,
            motherboard: { slot.inner },
            activation: { slot.nextToBoard(.second, with: 7) },
            link: { slot.inner.open("/second") }
        )
        self.keys = keys
        if let door { result = await door.enter(with: keys) }
    }

    /// Notes the state of everything that a use may change.
    private func trace() {
        traces += journal.lines
        traces.append("\(motherboard.snapshot())")
        traces.append(motherboard.graph().mermaid)
        traces.append("\(motherboard.contributions(to: .numbers))")
        traces.append("\(keys?.screen.lifetime.callCount ?? 0) calls, kept: \(keys?.component != nil)")
        traces.append("live: \(slot?.liveBoard.isLive ?? false), works: \(slot?.liveBoard.extras?.works.count ?? 0)")
    }
}
