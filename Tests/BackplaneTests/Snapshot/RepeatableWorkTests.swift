import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// A snapshot does not repeat work by itself.
@Suite(.rule("B76"))
@MainActor struct RepeatableWorkTests {
    private func app(repeatable: Bool, gated: Bool = false, _ journal: Journal) -> Motherboard {
        let motherboard = Motherboard.onMain()
        motherboard.registerTask(.figures, repeatable: repeatable) { number, _ in
            journal.note("work \(number)")
            try await AsyncLatch().waitUnlessCancelled()
            return number
        }
        motherboard.probe(.words)
        motherboard.probe(.doorkeeper)
        if gated { motherboard.gate(.figures, by: .doorkeeper) { $0 ? .open : .closed } }
        return motherboard
    }

    @Test func `running work is reported, and restored only if its registration allows it`() async throws {
        let journal = Journal()
        let old = app(repeatable: true, journal)
        old.activate(.figures, with: 1)
        old.activate(.words, with: "a")
        let snapshot = old.snapshot()
        let cautious = app(repeatable: false, journal)
        let missing = cautious.restore(snapshot)
        #expect(missing.map(\.description) == ["figures: notRepeatable"])
        #expect(cautious.isLive(.words))
        #expect(!cautious.isLive(.figures))
        let again = app(repeatable: true, journal)
        #expect(again.restore(snapshot) == [])
        #expect(again.isLive(.figures))
        for motherboard in [old, cautious, again] { motherboard.complete() }
    }

    @Test func `work that waits at a gate has not begun, so it is restored`() throws {
        let journal = Journal()
        let old = app(repeatable: false, gated: true, journal)
        old.activate(.figures, with: 1)
        let again = app(repeatable: false, gated: true, journal)
        #expect(again.restore(old.snapshot()) == [])
        #expect(again.isLive(.doorkeeper))
    }

    @Test func `work that is already running is not reported`() throws {
        let journal = Journal()
        let motherboard = app(repeatable: false, journal)
        motherboard.activate(.figures, with: 1)
        #expect(motherboard.restore(motherboard.snapshot()) == [])
        #expect(motherboard.liveCount(of: .figures) == 1)
        motherboard.complete()
    }
}
