import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@Suite struct LinkReceiverTests {
    @Test(
        .rule("V15", "V25"),
        arguments: [
            ("two ways within a second", "a by scene, 999, a by delegate", [true, false]),
            ("two ways after a second", "a by scene, 1000, a by delegate", [true, true]),
            ("another link, and the same way", "a by scene, b by delegate, a by scene", [true, true, true]),
            (
                "two openings by one way, and then by another", "a by scene, a by scene, a by url, a by url",
                [true, true, false, false]
            ),
            (
                "two openings, each by two ways", "a by scene, a by delegate, a by scene, a by delegate",
                [true, false, true, false]
            ),
            (
                "two openings, each by three ways",
                "a by scene, a by url, a by delegate, a by scene, a by url, a by delegate",
                [true, false, false, true, false, false]
            ),
        ]
    )
    func `within a second, the same link in another way counts once`(name: String, story: String, isAccepted: [Bool]) {
        let clock = ManualClock()
        let links = LinkReceiver(clock: clock)
        var answers: [Bool] = []
        for event in story.split(separator: ", ") {
            let words = event.split(separator: " ").map(String.init)
            if words.count == 1 {
                clock.advance(by: .milliseconds(Int(words[0]) ?? 0))
            } else {
                answers.append(links.accepts(words[0], by: words[2]))
            }
        }
        #expect(answers == isAccepted)
    }
}
