import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// Superseded or replaced work that does not stop: see also `ClosedDoorTests`.
///
/// A gate holds the work until a test lets it use the slot.
@MainActor private final class Stubborn {
    let gate = AsyncLatch()
    let ended = AsyncLatch()
    var slot: Slot<Numbers>?
    private let effect: (Slot<Numbers>) async -> Void

    init(_ effect: @escaping (Slot<Numbers>) async -> Void) {
        self.effect = effect
    }

    func start(in board: ProbeBoard<Numbers>) {
        slot = board.slot
        board.task { await self.run() }
    }

    private func run() async {
        await gate.wait()
        if let slot { await effect(slot) }
        ended.open()
    }

    func finish() async {
        gate.open()
        await ended.wait()
    }
}

@Suite(.rule("B52"), .timeLimit(.minutes(5))) @MainActor struct StaleWorkTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let events: EventRecord

    init() {
        events = motherboard.observeEvents()
        let journal = journal
        motherboard.registerFlow(from: .first) { output, _ in journal.note("output \(output)") }
        motherboard.registerGeneralFlow { (action: Wish, _) in journal.note("\(action)") }
        motherboard.noteCompletions(of: .first, in: journal)
        motherboard.probe(.second) { _, input in
            journal.note("sibling \(input)")
        } onCommand: { _, command in
            journal.note("command \(command)")
        }
        motherboard.activate(.second, with: 0)
    }

    /// Starts stubborn work, supersedes its activation and lets the work use the slot.
    private func superseded(_ effect: @escaping (Slot<Numbers>) async -> Void) async -> Activation<Numbers> {
        let stubborn = Stubborn(effect)
        motherboard.probe(.first) { board, input in if input == 1 { stubborn.start(in: board) } }
        motherboard.activate(.first, with: 1)
        await stubborn.gate.arrivals(atLeast: 1)
        let later = motherboard.activate(.first, with: 2)
        await stubborn.finish()
        return later
    }

    @Test func `each output, action and completion of superseded work is dropped with an event`() async {
        let later = await superseded { slot in
            slot.send(1)
            slot.sendAction(Wish.returnHome)
            slot.complete(sending: 2)
        }
        #expect(journal.lines == ["sibling 0"])
        #expect(events.boards(.droppedOutput) == ["first", "first", "first"])
        #expect(later.state == .active)
    }

    @Test(.rule("B71"))
    func `superseded work can still use a nested motherboard or activation that it stored`() async {
        let journal = journal
        var (inner, sibling): (Motherboard?, Activation<Numbers>?)
        let stubborn = Stubborn { slot in
            if let inner { journal.note("\(inner.activate(.second, with: 8).state)") }
            journal.note("\(slot.inner.activate(.second, with: 9).state)")
            sibling?.send(5)
        }
        motherboard.probe(.first) { board, input in
            if input != 1 { return }
            inner = board.inner
            sibling = board.nextToBoard(.second, with: 7)
            stubborn.start(in: board)
        }
        motherboard.activate(.first, with: 1)
        await stubborn.gate.arrivals(atLeast: 1)
        let later = motherboard.activate(.first, with: 2)
        await stubborn.finish()
        #expect(journal.lines == ["sibling 0", "sibling 7", "sibling 8", "active", "ownerGone", "command 5"])
        later.complete()
        #expect(inner?.activate(.second, with: 10).state == .ownerGone)
    }

    @Test func `tasks that superseded work has started have no effect, even after the work has ended`() async {
        let late = AsyncLatch()
        let lateEnded = AsyncLatch()
        let later = await superseded { slot in
            Task {
                await late.wait()
                slot.send(1)
                lateEnded.open()
            }
            await withTaskGroup { group in group.addTask { @MainActor in slot.send(2) } }
        }
        late.open()
        await lateEnded.wait()
        #expect(journal.lines == ["sibling 0"])
        #expect(events.boards(.droppedOutput).count == 2)
        #expect(later.state == .active)
    }

    @Test func `if work activates its own board again, the new activation has its effects`() async {
        let journal = journal
        var later: [Task<Void, Never>] = []
        motherboard.registerFlow(from: .first) { output, motherboard in
            if output == 1 { motherboard.activate(.first, with: 2) }
        }
        var work: Task<Void, Never>?
        motherboard.probe(.first) { board, input in
            if input == 1 {
                work = board.task {
                    board.send(1)
                    board.send(10)
                    journal.note("\(board.slot.isLive)")
                }
                return
            }
            board.send(2)
            later = [
                board.task { board.send(3) },
                board.task(lasting: .board) { board.send(4) },
                Task { board.send(5) },
            ]
        }
        motherboard.activate(.first, with: 1)
        await work?.value
        for task in later { await task.value }
        #expect(later.count == 3)
        #expect(
            journal.lines == ["sibling 0", "output 1", "output 2", "false", "output 3", "output 4", "output 5"]
        )
    }

    @Test func `a slot stops checking for superseded work after that work has ended`() async {
        let stubborn = Stubborn { _ in }
        var work: Task<Void, Never>?
        motherboard.probe(.first) { board, input in
            if input == 1 { work = board.task { await stubborn.gate.wait() } }
            stubborn.slot = stubborn.slot ?? board.slot
        }
        motherboard.activate(.first, with: 1)
        await stubborn.gate.arrivals(atLeast: 1)
        motherboard.activate(.first, with: 2)
        let slot = stubborn.slot
        #expect(slot?.liveBoard.hasStaleWork == true)
        slot?.send(1)
        #expect(slot?.liveBoard.hasStaleWork == true)
        stubborn.gate.open()
        await work?.value
        work = nil
        // The frame of the task is released shortly after its value is available.
        for number in 2..<100 where slot?.liveBoard.hasStaleWork == true {
            await Task.yield()
            slot?.send(number)
        }
        #expect(slot?.liveBoard.hasStaleWork == false)
        #expect(slot?.liveBoard.extras?.staleWork.isEmpty == true)
    }
}
