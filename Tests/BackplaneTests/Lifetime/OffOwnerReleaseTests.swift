import Backplane
import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

/// An object of the main actor that holds a motherboard and a bus, as a window does.
@MainActor private final class Holder {
    let motherboard = Motherboard.onMain()
    var bus: Bus<Int>?
}

/// Whether a board is released, and a latch that opens at that moment.
private final class Release: Sendable {
    private let isDone = Locked(false)
    private let latch = AsyncLatch()

    var isOver: Bool { isDone.withLock { $0 } }

    func note() {
        isDone.withLock { $0 = true }
        latch.open()
    }

    func wait() async { await latch.wait() }
}

/// A motherboard whose last reference goes on another thread, between two steps of its owner.
@MainActor @Suite(.rule("B70"), .timeLimit(.minutes(5))) struct OffOwnerReleaseTests {
    private let last = Last(Holder())
    private let journal = Journal()
    private var motherboard: Motherboard? { last.current?.motherboard }

    /// Activates the first board, and returns its slot and the release to wait for.
    private func plugIn() throws -> (slot: Slot<Numbers>, gone: Release) {
        let gone = Release()
        let journal = journal
        var slot: Slot<Numbers>?
        motherboard?.register(.first) { given in
            slot = given
            let released = OnRelease {
                MainActor.preconditionIsolated("A board was released off its actor.")
                gone.note()
            }
            return ProbeBoard(slot: given) { _, _ in released.touch() }
        }
        motherboard?.probe(.second) { _, input in journal.note("second \(input)") }
        motherboard?.registerFlow(from: .first) { output, _ in journal.note("output \(output)") }
        motherboard?.activate(.first, with: 0)
        return (try #require(slot), gone)
    }

    @Test func `between the release and the hop, nothing is delivered, and no board is entered`() async throws {
        let (slot, gone) = try plugIn()
        let inner = slot.inner
        let journal = journal
        motherboard?.registerGeneralFlow { (wish: Wish, _) in journal.note("\(wish)") }
        last.releaseElsewhere()
        #expect(!gone.isOver)
        slot.send(1)
        slot.sendAction(Wish.returnHome)
        inner.sendAction(Wish.returnHome)
        #expect(slot.nextToBoard(.second, with: 1).state == .ownerGone)
        #expect(inner.activate(.second, with: 2).state == .ownerGone)
        #expect(journal.lines.isEmpty)
        await gone.wait()
        #expect(!slot.isLive)
    }

    @Test(.rule("B33")) func `between the release and the hop, no gate is skipped`() async throws {
        let (slot, gone) = try plugIn()
        motherboard?.probe(.doorkeeper)
        let inner = slot.inner
        inner.activate(.second, with: 1).complete()
        motherboard?.gateAll(by: .doorkeeper) { _ in .open }
        last.releaseElsewhere()
        #expect(inner.activate(.second, with: 2).state == .ownerGone)
        #expect(journal.lines == ["second 1"])
        await gone.wait()
    }

    @Test func `an activation that waits is denied on the actor`() async throws {
        let (_, gone) = try plugIn()
        motherboard?.probe(.doorkeeper)
        motherboard?.gate(.second, by: .doorkeeper) { _ in .open }
        let waiting = try #require(motherboard?.activate(.second, with: 1))
        last.releaseElsewhere()
        #expect(waiting.state == .waiting)
        #expect(await waiting.settled() == .denied(Denial(of: .second, by: .doorkeeper, .ownerGone)))
        await gone.wait()
    }

    @Test func `the handlers of a bus are released on the actor`() async throws {
        let (slot, _) = try plugIn()
        let handler = Release()
        last.current?.bus = Bus(for: slot)
        do {
            let released = OnRelease {
                MainActor.preconditionIsolated("A handler was released off its actor.")
                handler.note()
            }
            last.current?.bus?.connect(journal) { _, _ in released.touch() }
        }
        last.releaseElsewhere()
        await handler.wait()
    }

    @Test func `on systems where code cannot know its actor, a release on the actor hops as well`() async throws {
        let (slot, gone) = try plugIn()
        OwnerPath.alwaysByHop.run { last.release() }
        #expect(!gone.isOver)
        await gone.wait()
        #expect(!slot.isLive)
    }

    @Test func `a motherboard that is released on its actor ends before the release returns`() throws {
        let (slot, gone) = try plugIn()
        last.release()
        #expect(gone.isOver)
        #expect(!slot.isLive)
    }
}
