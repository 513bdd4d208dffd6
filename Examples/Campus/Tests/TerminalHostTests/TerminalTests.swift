import Backplane
import BackplaneTesting
import Screens
import TerminalHost
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
    private let gate = AsyncLatch()
    private let clock = ManualClock()
    private let terminal: Terminal

    init() {
        terminal = ToyModule.terminal(gate: gate)
    }

    /// Waits with a limit that only this test's clock can reach.
    private func settle() async -> Bool {
        await terminal.settle(within: .seconds(10), on: clock)
    }

    // MARK: Screens and events

    @Test func `a link's screen is drawn, and drawn as it is after an event`() async {
        #expect(await terminal.screenText == "Nothing is shown.")
        await terminal.open("/")
        #expect(await terminal.screenText == "Counter  (/)\n============\n[count]\n  count: 0")
        #expect(await terminal.shows(template: "counter"))
        #expect(await !terminal.shows(template: "login"))
        await terminal.send(ScreenEvent(name: "add", fields: ["number": "3"]))
        #expect(await terminal.screenText.hasSuffix("count: 3"))
    }

    @Test func `of several screens the one on top is drawn, and a dialog says that it is one`() async {
        await terminal.open("/")
        await terminal.open("/host")
        #expect(await settle())
        #expect(await terminal.screenText == "How many?  (/plain, a dialog)\n=============================")
    }

    @Test func `a terminal that ends completes its boards and shows nothing any more`() async {
        await terminal.open("/late")
        await gate.arrivals(atLeast: 1)
        await terminal.end()
        #expect(await settle(), "a board that was at work is not waited for")
        #expect(await terminal.screenText == "The session has ended.")
        #expect(await terminal.logText.contains("Completed: cancelled."))
        gate.open()
    }

    @Test func `the app ends the terminal`() async {
        await terminal.open("/")
        await terminal.send(ScreenEvent(name: "leave"))
        #expect(await settle())
        #expect(await !terminal.shows(template: "counter"))
        #expect(await terminal.screenText == "The session has ended.")
    }

    // MARK: Waiting

    @Test func `a screen that loads is waited for`() async {
        await terminal.open("/slow/abc")
        #expect(await terminal.screenText.hasSuffix("[text]\n  Loading"))
        #expect(await !terminal.settle(within: .zero, on: clock))
        gate.open()
        #expect(await settle())
        #expect(await terminal.screenText.hasSuffix("[text]\n  Here is abc"))
    }

    @Test func `a section that could not be loaded says why`() async {
        gate.open()
        await terminal.open("/slow/broken")
        #expect(await settle())
        #expect(await terminal.screenText.hasSuffix("[text]\n  Problem: It is broken."))
    }

    @Test func `a board is waited for until all its work has ended, before it shows anything`() async {
        await terminal.open("/late")
        await gate.arrivals(atLeast: 1)
        #expect(await !terminal.settle(within: .zero, on: clock))
        gate.open()
        #expect(await settle())
        #expect(await terminal.screenText.hasPrefix("Late"))
    }

    @Test func `what takes longer than the limit is not waited for`() async {
        await terminal.open("/slow/abc")
        async let isSettled = settle()
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        #expect(await !isSettled)
        gate.open()
    }

    @Test func `a board that has another inside it is not waited for until that has answered`() async {
        await terminal.open("/host")
        #expect(await settle())
        await terminal.send(ScreenEvent(name: "7"))
        #expect(await settle())
        #expect(await terminal.screenText.hasPrefix("7 of them"))
    }

    // MARK: What became of a link

    @Test(
        .rule("B38"),
        arguments: [
            ("/", "The link is open."), ("toy://slow/abc", "The link is open."),
            ("/nowhere", "The link leads nowhere here. Check its path, and its scheme if it has one."),
            ("other://slow/abc", "The link leads nowhere here. Check its path, and its scheme if it has one."),
            ("slow/abc", "The link is invalid. The link begins with neither a scheme nor a slash. Write all of it."),
            ("/secret", "The link waits for a gate: what is on the screen has to be answered first."),
            ("/shut", "The link is denied. Gate 'nobody' did not open for board 'shut': noSuchGate."),
        ]
    )
    func `a link is answered with a sentence`(link: String, sentence: String) async {
        let answer = await terminal.open(link)
        #expect(answer.description == sentence)
        #expect(await terminal.linkAnswer == answer)
    }

    @Test func `a link that waits at a gate is open once the gate is`() async {
        #expect(await terminal.open("/secret") == .waiting)
        await terminal.send(ScreenEvent(name: "friend"))
        #expect(await terminal.linkAnswer == .opened)
        #expect(await terminal.screenText.hasPrefix("Secret"))
    }

    @Test func `a link that waits at a gate is denied once that closes, whatever an earlier one was`() async {
        await terminal.open("/secret")
        await terminal.send(ScreenEvent(name: "friend"))
        await terminal.open("/secret")
        await terminal.send(ScreenEvent(name: "foe"))
        #expect(await terminal.linkAnswer == .denied(reason: "Gate 'bouncer' did not open for board 'secret': closed."))
    }

    @Test func `a link that is denied with nothing else to show says so, and leads home`() async {
        await terminal.open("/shut")
        #expect(await terminal.screenText.hasPrefix("Not allowed  (/shut)"))
        await terminal.send(ScreenEvent(name: "home"))
        #expect(await terminal.screenText.hasPrefix("Counter  (/)"))
        await terminal.open("/shut")
        #expect(await terminal.screenText.hasPrefix("Counter  (/)"), "there is something to show")
    }

    @Test func `who leaves the form that a link waits for is told that the link is denied`() async {
        await terminal.open("/secret")
        await terminal.send(ScreenEvent(name: "leave"))
        let reason = "Gate 'bouncer' did not open for board 'secret': gateCancelled."
        #expect(await terminal.linkAnswer == .denied(reason: reason))
        #expect(await terminal.screenText.hasPrefix("Not allowed  (/secret)"))
    }

    // MARK: The end

    @Test func `a terminal that has ended goes, though a board of it would work for ever`() async {
        weak var left: Terminal?
        do {
            let terminal = Terminal { [gate] motherboard, _, _ in
                motherboard.register(.late) { slot in
                    ClosureBoard(slot: slot) { _ in slot.task { try await gate.waitUnlessCancelled() } }
                }
                motherboard.registerLink("late", to: .late)
            }
            left = terminal
            await terminal.open("/late")
            await gate.arrivals(atLeast: 1)
            await terminal.end()
        }
        while left != nil, !Task.isCancelled { await Task.yield() }
        #expect(left == nil)
    }

    @Test func `on a terminal that has ended nothing is activated any more`() async {
        await terminal.end()
        #expect(await terminal.open("/late") == .noMatch)
        #expect(await terminal.logText.isEmpty)
    }

    // MARK: The log

    @Test func `every event has a line: when, what, which board inside which, and a sentence`() async {
        await terminal.open("/host")
        #expect(await settle())
        #expect(
            await terminal.logText.replacing(#/ *\d+ ms/#, with: "… ms") == """
                … ms  activated    host#1             Made and activated.
                … ms  taskStarted  host#1             Started work.
                … ms  activated    host#1/question#2  Made and activated.
                """
        )
    }

    @Test func `a line's time counts from the first event, which is at zero`() async {
        await terminal.open("/")
        #expect(await terminal.logText.hasPrefix("0 ms  activated  counter#1"))
    }

    @Test func `a board that no flow listens to runs all the same, and the log says so`() async {
        await terminal.withMotherboard { _ = $0.activate(.bouncer) }
        await terminal.send(ScreenEvent(name: "friend"))
        #expect(await terminal.logText.contains("unhandledOutput"))
    }
}
