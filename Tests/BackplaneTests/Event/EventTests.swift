import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.rule("B42"))
struct EventTests {
    let motherboard = Motherboard.onMain()

    @Test func `an observer receives events of its motherboard and nested ones in order without payloads`() {
        motherboard.probe(.words) { board, input in board.send(input + " secret") }
        motherboard.probe(.first) { board, _ in
            board.inner.registerFlow(from: .words) { _, _ in }
            board.inner.activate(.words, with: "secret")
        }
        let record = motherboard.observeEvents()
        let first = motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        first.send(2)
        motherboard.complete(.first)
        #expect(
            record.events.map { "\($0.kind) \($0.board?.name ?? "-")" } == [
                "activated first", "activated words", "output words", "command first", "command first",
                "completed words", "completed first",
            ]
        )
        #expect(!record.events.contains { "\($0)".contains("secret") })
        #expect(record.events.map(\.time) == record.events.map(\.time).sorted())
    }

    @Test func `an observer that is removed during an event does not receive it`() {
        var heard: [String] = []
        var second: Registration?
        motherboard.observe { [motherboard] event in
            heard.append("first \(event.kind)")
            if let second { motherboard.remove(second) }
        }
        second = motherboard.observe { event in heard.append("second \(event.kind)") }
        motherboard.probe(.first)
        motherboard.activate(.first, with: 0)
        #expect(heard == ["first activated"])
    }

    @Test func `each activation raises an event, and a command to several boards raises a single event`() {
        motherboard.probe(.first)
        motherboard.probe(.second, reuse: .perActivation)
        let record = motherboard.observeEvents()
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.activate(id, with: 0)
            motherboard.activate(id, with: 0)
            motherboard.send(1, to: id)
        }
        #expect(record.boards(.activated) == ["first", "first", "second", "second"])
        #expect(record.boards(.command) == ["first", "second"])
    }

    @Test func `an observer can release its motherboard`() {
        var motherboard: Motherboard? = Motherboard()
        var handled = 0
        let slot = motherboard?.enter(.first, with: 0).slot
        motherboard?.registerFlow(from: .first) { _, _ in handled += 1 }
        motherboard?.observe { if $0.kind == .output { motherboard = nil } }
        // Only the test retains the motherboard, so it is released in the middle of this delivery.
        slot?.send(1)
        #expect(motherboard == nil)
        #expect(handled == 0)
        #expect(slot?.isLive == false)
    }

    @Test func `a nested observer receives no outer events, and a stopped observer receives none`() {
        motherboard.probe(.second)
        let inner = motherboard.makeInner()
        var seen: [String] = []
        let token = inner.observe { seen.append($0.board?.name ?? "-") }
        motherboard.activate(.second, with: 0)
        #expect(seen.isEmpty)
        inner.activate(.second, with: 0)
        inner.remove(token)
        inner.activate(.second, with: 0)
        #expect(seen == ["second"])
    }

    @Test func `observers are notified in registration order, even if one of them stops, or stops twice`() {
        motherboard.probe(.first)
        var told: [String] = []
        let token = motherboard.observe { _ in told.append("a") }
        motherboard.observe { _ in told.append("b") }
        motherboard.remove(token)
        for name in ["c", "d"] {
            motherboard.observe { _ in told.append(name) }
            motherboard.remove(token)
        }
        motherboard.activate(.first, with: 0)
        #expect(told == ["b", "c", "d"])
    }

    @Test func `no event is made after the last observer stops`() {
        motherboard.probe(.first) { board, _ in board.inner.observe { _ in } }
        let token = motherboard.observe { _ in }
        motherboard.activate(.first, with: 0)
        #expect(motherboard.scheduler.observerCount == 2)
        motherboard.complete(.first)
        motherboard.remove(token)
        motherboard.remove(token)
        #expect(motherboard.scheduler.observerCount == 0)
        var messages = 0
        let message = {
            messages += 1
            return ""
        }
        motherboard.raise(.activated, board: nil, message)
        motherboard.entry(for: .first).raise(.activated, message)
        #expect(messages == 0)
    }
}
