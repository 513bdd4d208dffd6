import Backplane
import Testing

@MainActor
struct EventTests {
    let motherboard = Motherboard.onMain()

    @Test func `B42: an observer sees what happens on its motherboard and inside it, in order, without payloads`() {
        motherboard.probe(.words) { board, input in board.send(input + " secret") }
        motherboard.probe(
            .first,
            onActivate: { board, _ in
                board.motherboard.registerFlow(from: .words) { _, _ in }
                board.motherboard.activate(.words, with: "secret")
            }
        )
        let record = motherboard.recordEvents()
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

    @Test func `B42: an inner observer sees nothing of what is around it, and an ended one nothing at all`() {
        var inner: Motherboard?
        motherboard.probe(.first) { board, _ in inner = board.motherboard }
        motherboard.probe(.second)
        motherboard.activate(.first, with: 0)
        var seen: [String] = []
        let token = inner?.observe { seen.append($0.board?.name ?? "-") }
        motherboard.activate(.second, with: 0)
        #expect(seen.isEmpty)
        inner?.activate(.second, with: 0)
        #expect(seen == ["second"])
        if let token { inner?.stopObserving(token) }
        inner?.activate(.second, with: 0)
        #expect(seen == ["second"])
    }
}
