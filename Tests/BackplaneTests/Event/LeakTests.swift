import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

#if DEBUG
    @Suite(.rule("B29"), .timeLimit(.minutes(5))) @MainActor struct LeakTests {
        let clock = ManualClock()
        let journal = Journal()

        /// Notes leaking boards, and returns a latch that opens when the board `name` leaks.
        private func watch(_ motherboard: Motherboard, for name: String) -> AsyncLatch {
            let leaked = AsyncLatch()
            motherboard.observe { [journal] event in
                guard event.kind == .leaked else { return }
                journal.note(event.instance?.description ?? "-")
                if event.board?.name == name { leaked.open() }
            }
            return leaked
        }

        @Test func `a board that is retained for a second after its end is reported with its name`() async {
            let motherboards = [
                Motherboard(clock: clock), .onMain(clock: clock), Motherboard(owner: MainActor.shared, clock: clock),
            ]
            for motherboard in motherboards {
                var held: ProbeBoard<Numbers>?
                motherboard.probe(.first) { board, _ in held = board }
                let leaked = watch(motherboard, for: "first")
                motherboard.activate(.first, with: 0).complete()
                await clock.sleepers(atLeast: 1)
                clock.advance(by: .milliseconds(999))
                await clock.sleepers(atLeast: 1)
                clock.advance(by: .milliseconds(1))
                await leaked.wait()
                #expect(held != nil)
            }
            #expect(journal.lines == ["first#1", "first#1", "first#1"])
        }

        @Test func `a leak is reported on the motherboard's actor`() async {
            let window = LeakingWindow()
            let leaked = AsyncLatch()
            await window.leak(clock: clock, leaked: leaked)
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await leaked.wait()
        }

        @Test func `a released board and a board that ended without an observer are not reported`() async {
            let motherboard = Motherboard(clock: clock)
            var held: [ProbeBoard<Numbers>] = []
            motherboard.probe(.first) { board, _ in held.append(board) }
            motherboard.activate(.first, with: 0).complete()
            let leaked = watch(motherboard, for: "third")
            motherboard.probe(.second)
            // The activation is held, and not its board.
            let ended = motherboard.activate(.second, with: 0)
            ended.complete()
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            // This board ends later than the others, so it is reported after them.
            motherboard.probe(.third) { board, _ in held.append(board) }
            motherboard.activate(.third, with: 0).complete()
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await leaked.wait()
            #expect(held.count == 2)
            #expect(ended.state == .completed)
            #expect(journal.lines == ["third#3"])
        }

        @Test(.rule("V30")) func `a board is not reported on systems that keep dismissed controllers`() async {
            let motherboard = Motherboard(clock: clock)
            var held: [ProbeBoard<Numbers>] = []
            for id in [BoardID.first, .third] { motherboard.probe(id) { board, _ in held.append(board) } }
            let leaked = watch(motherboard, for: "third")
            motherboard.scheduler.releasesScreens = false
            motherboard.activate(.first, with: 0).complete()
            motherboard.scheduler.releasesScreens = true
            motherboard.activate(.third, with: 0).complete()
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await leaked.wait()
            #expect(held.count == 2)
            #expect(journal.lines == ["third#2"])
        }

        @Test func `a completed board is released with its inner motherboard, bus and component`() async {
            let motherboard = Motherboard(clock: clock)
            let cancelled = AsyncLatch()
            var kept: [Weak<AnyObject>] = []
            motherboard.probe(.second)
            motherboard.register(.first) { slot in
                let bus = Bus<Int>(for: slot)
                let component = Component()
                bus.connect(component) { _, _ in }
                let board = ProbeBoard(slot: slot) { [clock] board, _ in
                    board.inner.activate(.second, with: 0)
                    board.inner.registerFlow(from: .second, weak: component) { _, _ in }
                    board.task {
                        try? await clock.sleep(for: .seconds(60))
                        if Task.isCancelled { cancelled.open() }
                    }
                    bus.send(1)
                }
                kept = [Weak(board), Weak(slot.inner), Weak(bus), Weak(component)]
                return board
            }
            let activation = motherboard.activate(.first, with: 0)
            await clock.sleepers(atLeast: 1)
            #expect(kept.allSatisfy { $0.object != nil })
            activation.complete()
            await cancelled.wait()
            for _ in 0..<100 where kept.contains(where: { $0.object != nil }) { await Task.yield() }
            #expect(kept.allSatisfy { $0.object == nil })
        }

        @Test func `watching a board for leaks does not retain its actor`() async {
            var window: LeakingWindow? = LeakingWindow()
            weak var gone: LeakingWindow?
            gone = window
            await window?.leak(clock: clock, leaked: AsyncLatch())
            await clock.sleepers(atLeast: 1)
            window = nil
            #expect(gone == nil)
            clock.advance(by: .seconds(1))
        }

        @Test func `watching a board for leaks does not retain its motherboard`() async {
            weak var gone: Motherboard?
            weak var record: BoardEntry<Numbers>?
            do {
                let motherboard = Motherboard(clock: clock)
                gone = motherboard
                record = motherboard.entry(for: .first)
                _ = watch(motherboard, for: "first")
                motherboard.probe(.first)
                motherboard.activate(.first, with: 0).complete()
                await clock.sleepers(atLeast: 1)
                #expect(gone != nil)
                #expect(record != nil)
            }
            #expect(gone == nil)
            #expect(record == nil)
        }
    }
#endif

private actor LeakingWindow {
    private var motherboard: Motherboard?
    /// The owner that makes the boards leak.
    private let shelf = Shelf()

    private final class Shelf {
        var boards: [ProbeBoard<Numbers>] = []
    }

    func leak(clock: ManualClock, leaked: AsyncLatch) {
        let motherboard = Motherboard(clock: clock)
        self.motherboard = motherboard
        motherboard.probe(.first) { [shelf] board, _ in shelf.boards.append(board) }
        motherboard.observe { [unowned self] event in
            preconditionIsolated()
            if event.kind == .leaked { leaked.open() }
        }
        motherboard.activate(.first, with: 0).complete()
    }
}
