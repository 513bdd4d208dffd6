import Testing
import UIKit

@testable import ExistingApp

// The user sees the same app after each step.
@Suite(.timeLimit(.minutes(5))) @MainActor struct EveryStepTests {
    @Test(arguments: ShownApp.Step.allCases)
    func `an order is shown above the list, and left again`(step: ShownApp.Step) async {
        let app = ShownApp(step)
        #expect(app.navigation.titles == ["2 orders"])
        app.tapOrder(1042)
        await settle()
        #expect(app.navigation.titles == ["2 orders", "Lamp"])
        app.navigation.popViewController(animated: true)
        await settle()
        app.tapOrder(1043)
        #expect(app.navigation.titles == ["2 orders", "Desk"])
    }

    @Test(arguments: ShownApp.Step.allCases)
    func `a new address is saved and shown`(step: ShownApp.Step) async throws {
        let app = ShownApp(step)
        app.tapOrder(1042)
        await settle()
        let order = try #require(app.navigation.shownOrder)
        order.changeAddressTapped()
        await settle()
        let form = try #require(app.navigation.shownForm)
        #expect(form.address == "Elm Street 1")
        form.saveTapped("Oak Street 2")
        await settle()
        #expect(app.navigation.presentedViewController == nil)
        #expect(app.shop.order(1042)?.address == "Oak Street 2")
        #expect(order.order?.address == "Oak Street 2")
    }

    @Test(arguments: ShownApp.Step.allCases, [true, false])
    func `if a form is cancelled or pulled down, nothing changes`(step: ShownApp.Step, pullsDown: Bool) async throws {
        let app = ShownApp(step)
        app.tapOrder(1042)
        await settle()
        let order = try #require(app.navigation.shownOrder)
        order.changeAddressTapped()
        await settle()
        if pullsDown { app.navigation.dismiss(animated: true) } else { app.navigation.shownForm?.cancelTapped() }
        await settle()
        #expect(app.navigation.presentedViewController == nil)
        #expect(app.shop.order(1042)?.address == "Elm Street 1")
        order.changeAddressTapped()
        await settle()
        #expect(app.navigation.shownForm != nil)
    }
}
