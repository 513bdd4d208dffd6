import Backplane
import BackplaneNavigation
import BackplaneTesting
import Foundation
import Testing
import UIKit

@testable import ExistingApp

@Suite(.timeLimit(.minutes(5))) @MainActor struct Step1Tests {
    private typealias OrdersViewController = Step1.OrdersViewController

    private let app = Step1.AppWindow(shop: Shop())
    private let window: UIWindow

    init() {
        window = shownWindow(app.navigation)
    }

    @Test func `a tap on an order activates its board`() {
        let test = TestMotherboard()
        let order = test.stub(OrderPage.id)
        let list = OrdersViewController(shop: Shop(), motherboard: test.motherboard)

        list.orderTapped(1042)

        #expect(order.inputs == [1042])
        test.expect(.activated(OrderPage.id, with: 1042))
    }

    @Test func `the board of an order ends when its controller is popped`() async {
        app.motherboard.activate(OrderPage.id, with: 1042)
        await settle()
        #expect(app.motherboard.isLive(OrderPage.id))

        app.navigation.popViewController(animated: true)
        await settle()
        #expect(!app.motherboard.isLive(OrderPage.id))
    }

    @Test func `each of two orders has a board of its own`() async {
        let first = app.motherboard.activate(OrderPage.id, with: 1042)
        await settle()
        let second = app.motherboard.activate(OrderPage.id, with: 1043)
        await settle()
        app.navigation.popViewController(animated: true)
        await settle()
        #expect((first.state, second.state) == (.active, .completed))
        #expect(second.completion?.isCancelled == true)
        app.navigation.shownOrder?.changeAddressTapped()
        #expect(app.navigation.shownForm != nil)
    }

    @Test func `a closed window releases its motherboard`() {
        var app: Step1.AppWindow? = Step1.AppWindow(shop: Shop())
        weak let motherboard = app?.motherboard
        #expect(motherboard != nil)
        app = nil
        #expect(motherboard == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct Step2Tests {
    private typealias OrdersModule = Step2.OrdersModule

    private let app = Step2.AppWindow(shop: Shop())
    private let window: UIWindow

    init() {
        window = shownWindow(app.navigation)
    }

    @Test func `an order is delivered to the address from the form`() async {
        let shop = Shop()
        let navigation = UINavigationController()
        let test = TestMotherboard(exhaustive: false)
        test.stub(AddressForm.id) { _, slot in slot.complete(sending: "Oak Street 2") }
        test.motherboard.install(OrdersModule(shop: shop, navigation: navigation))

        test.motherboard.activate(OrderPage.id, with: 1042)
        let controller = navigation.topViewController as? OrderViewController
        controller?.loadViewIfNeeded()
        controller?.changeAddressTapped()
        await test.settled()

        #expect(shop.order(1042)?.address == "Oak Street 2")
    }

    @Test func `the form leaves with the order`() async {
        let order = app.motherboard.activate(OrderPage.id, with: 1042)
        await settle()
        app.navigation.shownOrder?.changeAddressTapped()
        await settle()
        #expect(app.navigation.shownForm != nil)
        order.complete()
        await settle()
        #expect(app.navigation.presentedViewController == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct Step3Tests {
    private let app = Step3.AppWindow(shop: Shop(), links: LinkReceiver(clock: ManualClock()))
    private let window: UIWindow

    init() {
        window = shownWindow(app.navigation)
    }

    private func open(_ link: String, by way: String = "url") async throws {
        app.open(try #require(URL(string: link)), by: way)
        await settle()
    }

    @Test(arguments: ["shop://order/1042", "https://shop.example/order/1042"])
    func `a link opens an order above the list`(link: String) async throws {
        try await open(link)
        #expect(app.navigation.titles == ["2 orders", "Lamp"])
        app.navigation.popViewController(animated: true)
        await settle()
        #expect(app.navigation.titles == ["2 orders"])
        #expect(!app.motherboard.isLive(OrderPage.id))
    }

    @Test func `the same link in two ways opens once`() async throws {
        try await open("https://shop.example/order/1042", by: "start")
        let shown = app.navigation.topViewController
        try await open("https://shop.example/order/1042", by: "activity")
        #expect(app.navigation.topViewController === shown)
        #expect(app.motherboard.liveCount(of: OrderPage.id) == 1)
    }

    @Test func `a link closes the form and replaces the order`() async throws {
        try await open("shop://order/1042")
        app.navigation.shownOrder?.changeAddressTapped()
        await settle()
        #expect(app.navigation.shownForm != nil)
        try await open("shop://order/1043")
        #expect(app.navigation.presentedViewController == nil)
        #expect(app.navigation.titles == ["2 orders", "Desk"])
        #expect(app.motherboard.liveCount(of: OrderPage.id) == 1)
    }

    @Test(arguments: ["shop://basket", "https://other.example/order/1042"])
    func `a link without a target changes nothing`(link: String) async throws {
        try await open("shop://order/1042")
        let shown = app.navigation.topViewController
        try await open(link)
        #expect(app.navigation.topViewController === shown)
    }

    @Test func `a link to an unknown order says so`() async throws {
        try await open("shop://order/7")
        #expect(app.navigation.titles == ["2 orders", "No such order"])
    }
}
