import Backplane
import BackplaneTesting
import Testing

@MainActor struct ExpectationTests {
    let test = TestMotherboard.onMain()
    var motherboard: Motherboard { test.motherboard }

    @Test func `what happened is asserted in the order in which it happened`() {
        let login = test.stub(.login)
        test.stub(.dashboard)
        motherboard.registerFlowSteps(.login ->>> .dashboard)
        motherboard.activate(.login)
        login.send("ada")
        test.expect(.activated(.login), .output(.login, "ada"), .activated(.dashboard, with: "ada"))
        login.complete()
        test.expect(.completed(.login))
    }

    @Test func `a failure shows what was expected beside what happened`() {
        let login = test.stub(.login)
        motherboard.activate(.login)
        login.send("ada")
        withKnownIssue {
            test.expect(.activated(.login), .activated(.dashboard, with: "ada"))
        } matching: { issue in
            print(issue)
            return issue.comments.first?.rawValue == """
                What happened is not what was expected (− expected, + happened):

                    .activated(.login)
                  − .activated(.dashboard, with: "ada")
                  + .unhandledOutput(.login, "ada")

                Nobody handled the output; register a flow from 'login'.
                """
        }
    }
}
