import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// Tests of the expectations that pass, the ones that fail, and their messages.
@MainActor struct ExpectationTests {
    let test = TestMotherboard.onMain()
    var motherboard: Motherboard { test.motherboard }

    @Test func `events are asserted in the order in which they happened`() {
        let login = test.stub(.login)
        test.stub(.dashboard)
        motherboard.registerFlowSteps(.login ->>> .dashboard)
        motherboard.activate(.login)
        login.send("ada")
        test.expect(.activated(.login), .output(.login, "ada"), .activated(.dashboard, with: "ada"))
        login.complete()
        test.expect(.completed(.login))
        test.expect()
    }

    @Test func `a failure compares expected and observed events, at the line of the call`() {
        let login = test.stub(.login)
        motherboard.activate(.login)
        login.send("ada")
        let line = #line + 1
        let failures = failures { test.expect(.activated(.login), .activated(.dashboard, with: "ada")) }
        #expect(
            failures.map(\.message) == [
                """
                The events differ from the expected ones (− expected, + happened):

                    .activated(.login)
                  − .activated(.dashboard, with: "ada")
                  + .unhandledOutput(.login, "ada")

                Nothing handled the output; register a flow from 'login'.
                """
            ]
        )
        #expect(failures.map(\.line) == [line])
        // A failed expectation consumes the events, so that they are not reported again.
        test.expect()
    }

    @Test func `an unexpected event fails an exhaustive test`() {
        test.stub(.login)
        test.stub(.dashboard)
        motherboard.activate(.login)
        motherboard.activate(.dashboard, with: "ada")
        motherboard.activate(.login)
        expectFailure(
            """
            The events differ from the expected ones (− expected, + happened):

              + .activated(.login)
                .activated(.dashboard, with: "ada")
              + .activated(.login)

            Expect them too, or make the test motherboard with `exhaustive: false`.
            """
        ) { test.expect(.activated(.dashboard, with: "ada")) }
    }

    @Test func `events in another order fail`() {
        test.stub(.login)
        motherboard.activate(.login)
        motherboard.complete(.login)
        expectFailure(
            """
            The events differ from the expected ones (− expected, + happened):

              − .completed(.login)
                .activated(.login)
              + .completed(.login)
            """
        ) { test.expect(.completed(.login), .activated(.login)) }
    }

    @Test func `each hint appears once in a failure`() {
        let login = test.stub(.login)
        motherboard.activate(.login)
        login.send("ada")
        login.send("grace")
        motherboard.activate(.dashboard, with: "ada")
        expectFailure(
            """
            The events differ from the expected ones (− expected, + happened):

                .activated(.login)
              + .unhandledOutput(.login, "ada")
              + .unhandledOutput(.login, "grace")
              + .event(.noSuchBoard, .dashboard)

            Nothing handled the output; register a flow from 'login'.
            No board is registered as 'dashboard'. Register it, or install its module, on this motherboard or an ancestor; \
            if it is inside a scope, declare it with declare(_:inside:).

            Expect them too, or make the test motherboard with `exhaustive: false`.
            """
        ) { test.expect(.activated(.login)) }
    }

    @Test func `only the differing lines of a multiline value are marked`() {
        test.stub(.profile)
        let interests = ["mathematics", "engines", "weaving"]
        let ada = Profile.Input(name: "Ada Lovelace", mail: "ada@example.com", interests: interests)
        var other = ada
        other.mail = "lovelace@example.com"
        motherboard.activate(.profile, with: ada)
        expectFailure(
            """
            The events differ from the expected ones (− expected, + happened):

                .activated(.profile, with: Input(
                    name: "Ada Lovelace",
              −     mail: "lovelace@example.com",
              +     mail: "ada@example.com",
                    interests: ["mathematics", "engines", "weaving"],
                ))
            """
        ) { test.expect(.activated(.profile, with: other)) }
    }

    @Test func `an expectation of no events fails after an event, and a multiline value keeps its indentation`() {
        test.stub(.profile)
        test.expect()
        let interests = ["mathematics", "engines", "weaving", "horses", "gambling"]
        motherboard.activate(.profile, with: Profile.Input(name: "Ada", mail: "ada@example.com", interests: interests))
        expectFailure(
            """
            The events differ from the expected ones (− expected, + happened):

              + .activated(.profile, with: Input(
                    name: "Ada",
                    mail: "ada@example.com",
                    interests: ["mathematics", "engines", "weaving", "horses", "gambling"],
                ))

            Expect them too, or make the test motherboard with `exhaustive: false`.
            """
        ) { test.expect() }
    }

    @Test func `releasing a test motherboard reports unasserted events at the line that created it`() {
        var line = 0
        let failures = failures {
            let test = TestMotherboard()
            line = #line - 1
            test.stub(.login)
            test.motherboard.activate(.login)
        }
        #expect(
            failures.map(\.message) == [
                """
                Events were never asserted:

                  + .activated(.login)

                Expect them too, or make the test motherboard with `exhaustive: false`.
                """
            ]
        )
        #expect(failures.map(\.line) == [line])
    }

    @Test func `a relaxed test checks only the expected events, in their order`() {
        let test = TestMotherboard(exhaustive: false)
        test.stub(.login)
        test.stub(.dashboard)
        test.motherboard.activate(.login)
        test.motherboard.activate(.dashboard, with: "ada")
        test.motherboard.activate(.login)
        test.motherboard.complete(.login)
        test.expect(.activated(.login), .completed(.login))
        test.motherboard.activate(.login)
        test.expect(.activated(.login))
    }

    @Test func `a relaxed expectation matches the earliest events and keeps later ones`() {
        let test = TestMotherboard(exhaustive: false)
        test.stub(.login)
        for _ in 1...2 { test.motherboard.activate(.login) }
        test.expect(.activated(.login))
        test.expect(.activated(.login))
        expectFailure(
            """
            Some expected events did not happen in this order (− expected, + skipped):

              − .activated(.login)
            """
        ) { test.expect(.activated(.login)) }
    }

    @Test func `a relaxed failure shows the skipped events and keeps later ones`() {
        let test = TestMotherboard(exhaustive: false)
        test.stub(.login)
        test.stub(.dashboard)
        test.motherboard.activate(.login)
        test.motherboard.activate(.dashboard, with: "ada")
        test.motherboard.complete(.login)
        expectFailure(
            """
            Some expected events did not happen in this order (− expected, + skipped):

              − .activated(.dashboard, with: "grace")
              + .activated(.login)
                .activated(.dashboard, with: "ada")
              + .completed(.login)
            """
        ) { test.expect(.activated(.dashboard, with: "grace"), .activated(.dashboard)) }
        test.expect(.completed(.login))
    }

    @Test func `a task event that the test motherboard ignores cannot be expected`() async {
        let strict = TestMotherboard(observing: motherboard, ignoring: [])
        test.stub(.login) { _, slot in slot.task {} }
        motherboard.activate(.login)
        await test.settled()
        strict.expect(.activated(.login), .event(.taskStarted, .login), .event(.taskEnded, .login))
        let failures = await failuresLater {
            test.expect(.activated(.login), .event(.taskStarted, .login))
            await test.receive(.event(.taskEnded, .login))
        }
        let advice = "is expected, and this test motherboard ignores such events; make it with `ignoring: []`."
        #expect(
            failures.map(\.message) == [
                ".event(.taskStarted, .login) \(advice)", ".event(.taskEnded, .login) \(advice)",
            ]
        )
        test.expect(.activated(.login))
    }

    @Test func `a motherboard from the code under test is observed from now on`() {
        let motherboard = Motherboard()
        TestBoard(.login, on: motherboard)
        motherboard.activate(.login)
        let test = TestMotherboard(observing: motherboard)
        #expect(test.motherboard === motherboard)
        motherboard.complete(.login)
        test.expect(.completed(.login))
    }

    @Test func `a released test motherboard retains nothing`() {
        weak var motherboard: Motherboard?
        weak var login: TestBoard<Login>?
        do {
            let test = TestMotherboard(exhaustive: false)
            motherboard = test.motherboard
            login = test.stub(.login)
            test.motherboard.activate(.login)
        }
        #expect(motherboard == nil)
        #expect(login == nil)
    }

    @Test func `a test motherboard works on any actor`() async {
        actor Window {
            func run() {
                let test = TestMotherboard()
                let login = test.stub(.login)
                test.motherboard.activate(.login)
                login.complete()
                test.expect(.activated(.login), .completed(.login))
            }
        }
        await Window().run()
    }
}
