import Backplane
import TestSupport
import Testing

@MainActor
struct SiblingTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B25")) func `nextToBoard activates a sibling through the motherboard before the call returns`() {
        motherboard.probe(.doorkeeper) { [journal] _, _ in journal.note("doorkeeper") }
        motherboard.probe(.second) { [journal] _, input in journal.note("second \(input)") }
        motherboard.probe(.first) { [journal] board, _ in
            #expect(board.nextToBoard(.second, with: 5).state == .active)
            #expect(board.nextToBoard(.doorkeeper).state == .active)
            #expect(board.nextToBoard(.third, with: 1).state == .noSuchBoard)
            journal.note("first")
        }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["second 5", "doorkeeper", "first"])
    }

    @Test(.rule("B26")) func `a command reaches a live sibling before the call returns and never creates a board`() {
        motherboard.probe(.first, onCommand: { [journal] _, command in journal.note("told \(command)") })
        motherboard.probe(.second) { [journal] board, _ in
            #expect(board.send(1, to: .first) == .notLive)
            board.nextToBoard(.first, with: 0)
            #expect(board.send(2, to: .first) == .delivered(1))
            #expect(board.send(3, to: .third) == .noSuchBoard)
            journal.note("second")
        }
        motherboard.activate(.second, with: 0)
        #expect(journal.lines == ["told 2", "second"])
        motherboard.complete(.first)
        #expect(motherboard.send(4, to: .first) == .notLive)
    }

    @Test(.rule("B23", "B63")) func `outputs and commands do not cross a nested motherboard`() {
        let record = motherboard.observeEvents()
        motherboard.registerFlow(from: .second) { [journal] _, _ in journal.note("crossed") }
        motherboard.probe(
            .second,
            onActivate: { board, _ in board.send(1) },
            onCommand: { [journal] _, _ in journal.note("told") }
        )
        motherboard.probe(.first) { board, _ in
            board.inner.activate(.second, with: 0)
            #expect(board.inner.send(1, to: .first) == .notLive)
        }
        motherboard.activate(.first, with: 0)
        #expect(motherboard.send(1, to: .second) == .notLive)
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.unhandledOutput) == ["second"])
    }

    @Test(.rule("B8")) func `a nested motherboard inherits registrations and their reuse, and owns its boards`() {
        motherboard.probe(.second, reuse: .perActivation) { [journal] _, input in journal.note("made for \(input)") }
        let board = motherboard.enter(.first, with: 0)
        let inside = [board.inner.activate(.second, with: 1), board.inner.activate(.second, with: 2)]
        #expect(inside.map(\.state) == [.active, .active])
        #expect(board.inner.send(0, to: .second) == .delivered(2))
        let outside = motherboard.activate(.second, with: 3)
        board.complete()
        #expect(inside.map(\.state) == [.completed, .completed])
        #expect(outside.state == .active)
        #expect(journal.lines == ["made for 1", "made for 2", "made for 3"])
    }
}
