import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@Suite(.rule("V15")) struct LinkReceiverTests {
    @Test func `the same link by two ways within a second counts once`() {
        let clock = ManualClock()
        let links = LinkReceiver(clock: clock)
        #expect(links.accepts("app://course/1", by: "scene"))
        clock.advance(by: .milliseconds(999))
        #expect(!links.accepts("app://course/1", by: "delegate"))
    }

    @Test func `the same link by two ways counts again after a second`() {
        let clock = ManualClock()
        let links = LinkReceiver(clock: clock)
        #expect(links.accepts("app://course/1", by: "scene"))
        clock.advance(by: .seconds(1))
        #expect(links.accepts("app://course/1", by: "delegate"))
    }

    @Test func `another link, and the same link by the same way, count`() {
        let links = LinkReceiver(clock: ManualClock())
        #expect(links.accepts("app://course/1", by: "scene"))
        #expect(links.accepts("app://course/2", by: "delegate"))
        #expect(links.accepts("app://course/1", by: "scene"))
    }

    @Test func `a link that is opened twice by two ways counts twice`() {
        let links = LinkReceiver(clock: ManualClock())
        #expect(links.accepts("app://course/1", by: "scene"))
        #expect(!links.accepts("app://course/1", by: "delegate"))
        #expect(links.accepts("app://course/1", by: "scene"))
        #expect(!links.accepts("app://course/1", by: "delegate"))
    }

    @Test(.rule("V25")) func `the same link by any number of ways within a second counts once`() {
        let links = LinkReceiver(clock: ManualClock())
        let ways = ["scene", "activity", "delegate", "push"]
        #expect(ways.map { links.accepts("app://course/1", by: $0) } == [true, false, false, false])
        #expect(ways.map { links.accepts("app://course/1", by: $0) } == [true, false, false, false])
    }
}
