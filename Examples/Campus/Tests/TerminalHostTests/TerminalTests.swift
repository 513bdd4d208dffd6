import Backplane
import BackplaneTesting
import CampusTestTools
import Screens
import TerminalHost
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

    @Test func `the terminal draws a link's screen and redraws the screen after an event`() async {
        #expect(await terminal.screenText == "No screen is shown.")
        await terminal.open("/")
        #expect(await terminal.screenText == "Counter  (/)\n============\n[count]\n  count: 0")
        #expect(await terminal.shows(CounterScreen.self))
        #expect(await !terminal.shows(PlainScreen.self))
        await terminal.send(ScreenEvent(name: "add", fields: ["number": "3"]))
        #expect(await terminal.screenText.hasSuffix("count: 3"))
    }

    @Test func `the terminal draws only the top screen and labels a dialog`() async {
        await terminal.open("/")
        await terminal.open("/host")
        #expect(await settle())
        #expect(await terminal.screenText == "How many?  (/plain, a dialog)\n=============================")
    }

    @Test func `an ended terminal completes its boards and shows that the session has ended`() async {
        await terminal.open("/late")
        await gate.arrivals(atLeast: 1)
        await terminal.end()
        #expect(await settle(), "settling does not wait for a board that was working")
        #expect(await terminal.screenText == "The session has ended.")
        #expect(await terminal.logText.contains("Completed: cancelled."))
        gate.open()
    }

    @Test func `the app can end the terminal`() async {
        await terminal.open("/")
        await terminal.send(ScreenEvent(name: "leave"))
        #expect(await settle())
        #expect(await !terminal.shows(CounterScreen.self))
        #expect(await terminal.screenText == "The session has ended.")
    }

    // MARK: Waiting

    @Test func `settled waits until the screen has loaded`() async {
        await terminal.open("/slow/abc")
        #expect(await terminal.screenText.hasSuffix("[text]\n  Loading"))
        #expect(await !terminal.settle(within: .zero, on: clock))
        gate.open()
        #expect(await settle())
        #expect(await terminal.screenText.hasSuffix("[text]\n  Here is abc"))
    }

    @Test func `a section that fails to load shows the reason`() async {
        gate.open()
        await terminal.open("/slow/broken")
        #expect(await settle())
        #expect(await terminal.screenText.hasSuffix("[text]\n  Problem: It is broken."))
    }

    @Test func `settled waits for all tasks of a board that shows no screen yet`() async {
        await terminal.open("/late")
        await gate.arrivals(atLeast: 1)
        #expect(await !terminal.settle(within: .zero, on: clock))
        gate.open()
        #expect(await settle())
        #expect(await terminal.screenText.hasPrefix("Late"))
    }

    @Test func `settled stops at its time limit`() async {
        await terminal.open("/slow/abc")
        async let isSettled = settle()
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        #expect(await !isSettled)
        gate.open()
    }

    @Test func `settled does not wait for a board whose nested board asks a question`() async {
        await terminal.open("/host")
        #expect(await settle())
        await terminal.send(ScreenEvent(name: "7"))
        #expect(await settle())
        #expect(await terminal.screenText.hasPrefix("7 of them"))
    }

    // MARK: Outcomes of links

    @Test(
        .rule("B38"),
        arguments: [
            ("/", "The link is open."), ("toy://slow/abc", "The link is open."),
            ("/nowhere", "No board matches the link. Check its path, and its scheme if it has one."),
            ("other://slow/abc", "No board matches the link. Check its path, and its scheme if it has one."),
            ("slow/abc", "The link is invalid. The link begins with neither a scheme nor a slash. Write all of it."),
            ("/secret", "The link waits at a gate. Complete the screen that is shown first."),
            ("/shut", "The link is denied. Gate 'nobody' did not open for board 'shut': noSuchGate."),
        ]
    )
    func `the outcome of a link is described in a sentence`(link: String, sentence: String) async {
        let answer = await terminal.open(link)
        #expect(answer.description == sentence)
        #expect(await terminal.linkAnswer == answer)
    }

    @Test func `a link that waits at a gate opens when the gate opens`() async {
        #expect(await terminal.open("/secret") == .waiting)
        await terminal.send(ScreenEvent(name: "friend"))
        #expect(await terminal.linkAnswer == .opened)
        #expect(await terminal.screenText.hasPrefix("Secret"))
    }

    @Test func `a waiting link is denied when the gate closes, even if an earlier link was opened`() async {
        await terminal.open("/secret")
        await terminal.send(ScreenEvent(name: "friend"))
        await terminal.open("/secret")
        await terminal.send(ScreenEvent(name: "foe"))
        #expect(await terminal.linkAnswer == .denied(reason: "Gate 'bouncer' did not open for board 'secret': closed."))
    }

    @Test func `a denied link shows a screen that leads home if no other screen is shown`() async {
        await terminal.open("/shut")
        #expect(await terminal.screenText.hasPrefix("Not allowed  (/shut)"))
        await terminal.send(ScreenEvent(name: "home"))
        #expect(await terminal.screenText.hasPrefix("Counter  (/)"))
        await terminal.open("/shut")
        #expect(await terminal.screenText.hasPrefix("Counter  (/)"), "another screen is shown already")
    }

    @Test func `leaving the form that a link waits for denies the link`() async {
        await terminal.open("/secret")
        await terminal.send(ScreenEvent(name: "leave"))
        let reason = "Gate 'bouncer' did not open for board 'secret': gateCancelled."
        #expect(await terminal.linkAnswer == .denied(reason: reason))
        #expect(await terminal.screenText.hasPrefix("Not allowed  (/secret)"))
    }

    // MARK: The end

    @Test func `an ended terminal is released, even if a board's task never finishes`() async {
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

    @Test func `an ended terminal activates no board`() async {
        await terminal.end()
        #expect(await terminal.open("/late") == .noMatch)
        #expect(await terminal.logText.isEmpty)
    }

    // MARK: The log

    @Test func `every event has a log line with its time, kind, board path and description`() async {
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

    @Test func `the times in the log count from the first event`() async {
        await terminal.open("/")
        #expect(await terminal.logText.hasPrefix("0 ms  activated  counter#1"))
    }

    @Test func `the log reports an output that no flow handles`() async {
        await terminal.withMotherboard { _ = $0.activate(.bouncer) }
        await terminal.send(ScreenEvent(name: "friend"))
        #expect(await terminal.logText.contains("unhandledOutput"))
    }
}
