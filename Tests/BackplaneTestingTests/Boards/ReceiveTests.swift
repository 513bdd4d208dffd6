import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// Tests of `receive` and `settled` with boards that do asynchronous work.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ReceiveTests {
    let test = TestMotherboard.onMain()
    let latch = AsyncLatch()
    var motherboard: Motherboard { test.motherboard }

    /// Activates a login that sends `name` when the latch opens.
    private func answer(_ name: String, thenComplete: Bool = false) {
        let latch = latch
        test.stub(.login) { _, slot in
            slot.task {
                await latch.wait()
                slot.send(name)
                if thenComplete { slot.complete() }
            }
        }
        motherboard.activate(.login)
    }

    @Test func `receive waits for an event that has not happened yet`() async {
        answer("ada")
        let opening = Task {
            await latch.arrivals(atLeast: 1)
            latch.open()
        }
        await test.receive(.activated(.login), .unhandledOutput(.login, "ada"))
        await opening.value
    }

    @Test func `receive returns at once for events that have happened, and keeps later ones`() async {
        answer("ada", thenComplete: true)
        await test.receive(.activated(.login))
        latch.open()
        await test.settled()
        await test.receive(.unhandledOutput(.login, "ada"))
        test.expect(.completed(.login))
    }

    @Test func `an unexpected event fails at once`() async {
        answer("ada")
        latch.open()
        var line = 0
        let failures = await failuresLater {
            line = #line + 1
            await test.receive(.activated(.login), .unhandledOutput(.login, "grace"), .completed(.login))
        }
        #expect(
            failures.map(\.message) == [
                """
                The events differ from the expected ones (− expected, + happened):

                    .activated(.login)
                  − .unhandledOutput(.login, "grace")
                  − .completed(.login)
                  + .unhandledOutput(.login, "ada")

                Nothing handled the output; register a flow from 'login'.
                """
            ]
        )
        #expect(failures.map(\.line) == [line])
        test.expect()
    }

    @Test func `an event that does not happen in time is reported as missing`() async {
        answer("ada")
        await expectFailureLater(
            """
            Some expected events did not happen within 0.0 seconds (− expected, + happened):

                .activated(.login)
              − .unhandledOutput(.login, "ada")
            """
        ) {
            await test.receive(.activated(.login), .unhandledOutput(.login, "ada"), within: .zero)
        }
        latch.open()
        await test.receive(.unhandledOutput(.login))
    }

    @Test func `an event that has not happened when the test is cancelled is reported as missing`() async {
        answer("ada")
        await expectFailureLater(
            """
            Some expected events did not happen before the test was cancelled (− expected, + happened):

                .activated(.login)
              − .completed(.login)
            """
        ) {
            let receiving = Task {
                await test.receive(.activated(.login), .completed(.login), within: .seconds(600))
            }
            await latch.arrivals(atLeast: 1)
            receiving.cancel()
            await receiving.value
        }
    }

    @Test func `a relaxed test waits for all expected events and ignores other events`() async {
        answer("ada", thenComplete: true)
        let test = TestMotherboard(observing: motherboard, exhaustive: false)
        let opening = Task {
            await latch.arrivals(atLeast: 1)
            test.stub(.dashboard)
            motherboard.activate(.dashboard, with: "ada")
            latch.open()
        }
        await test.receive(.unhandledOutput(.login, "ada"), .completed(.login))
        await opening.value
        self.test.expect(.activated(.login), .activated(.dashboard), .unhandledOutput(.login), .completed(.login))
    }

    @Test func `a relaxed test that times out keeps the events after the last match`() async {
        let test = TestMotherboard(exhaustive: false)
        test.stub(.login)
        test.motherboard.activate(.login)
        test.motherboard.complete(.login)
        let failures = await failuresLater {
            await test.receive(.activated(.login), .activated(.login), within: .zero)
        }
        #expect(failures.count == 1)
        test.expect(.completed(.login))
    }

    @Test func `a board settles when all its tasks have ended`() async {
        let other = AsyncLatch()
        test.stub(.dashboard) { _, slot in
            slot.task { await other.wait() }
            slot.task { await self.latch.wait() }
        }
        motherboard.activate(.dashboard, with: "ada")
        var isSettled = false
        let settling = Task {
            await test.settled()
            isSettled = true
        }
        latch.open()
        await other.arrivals(atLeast: 1)
        await Task.yield()
        #expect(!isSettled)
        other.open()
        await settling.value
        test.expect(.activated(.dashboard))
    }

    @Test func `settled waits for tasks that other tasks start`() async {
        test.stub(.login) { _, slot in
            slot.task {
                slot.task { slot.send("grace") }
                slot.send("ada")
            }
        }
        motherboard.activate(.login)
        await test.settled()
        test.expect(.activated(.login), .unhandledOutput(.login, "ada"), .unhandledOutput(.login, "grace"))
    }

    @Test func `settled does not wait for the tasks of a completed board`() async {
        answer("ada")
        motherboard.complete(.login)
        await test.settled()
        test.expect(.activated(.login), .completed(.login))
    }

    @Test func `a task that does not end is reported with its board`() async {
        answer("ada")
        let failures = await failuresLater {
            await test.settled(within: .zero)
            let settling = Task { await test.settled() }
            await latch.arrivals(atLeast: 1)
            settling.cancel()
            await settling.value
        }
        #expect(
            failures.map(\.message) == [
                """
                Boards still have work under way and did not settle within 0.0 seconds: login#1. \
                Let it end, or complete them.
                """,
                """
                Boards still have work under way and did not settle before the test was cancelled: login#1. \
                Let it end, or complete them.
                """,
            ]
        )
        test.expect(.activated(.login))
    }
}
