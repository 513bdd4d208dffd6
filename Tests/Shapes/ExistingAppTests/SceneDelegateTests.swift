import Backplane
import BackplaneNavigation
import BackplaneTesting
import Foundation
import Testing
import UIKit

@testable import ExistingApp

@Suite(.timeLimit(.minutes(5))) @MainActor struct SceneDelegateTests {
    private let delegate = Step3.SceneDelegate()
    private let scene = UIWindowScene()
    private let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)

    private func connect(_ options: UIScene.ConnectionOptions = UIScene.ConnectionOptions()) throws -> Step3.AppWindow {
        delegate.links = LinkReceiver(clock: ManualClock())
        delegate.scene(scene, willConnectTo: UISceneSession(), options: options)
        return try #require(delegate.app)
    }

    @Test func `a link at the start opens the order above the list`() async throws {
        let url = try #require(URL(string: "shop://order/1042"))
        let app = try connect(UIScene.ConnectionOptions(urlContexts: [UIOpenURLContext(url: url)]))
        await settle()
        #expect(app.navigation.titles == ["2 orders", "Lamp"])
    }

    @Test func `a link while the app runs opens its order`() async throws {
        let app = try connect()
        let url = try #require(URL(string: "shop://order/1043"))
        delegate.scene(scene, openURLContexts: [UIOpenURLContext(url: url)])
        await settle()
        #expect(app.navigation.titles == ["2 orders", "Desk"])
    }

    @Test func `a universal link that comes twice at the start opens once`() async throws {
        activity.webpageURL = URL(string: "https://shop.example/order/1042")
        let app = try connect(UIScene.ConnectionOptions(userActivities: [activity]))
        await settle()
        let shown = app.navigation.topViewController
        #expect(shown?.title == "Lamp")
        delegate.scene(scene, continue: activity)
        await settle()
        #expect(app.navigation.topViewController === shown)
    }

    @Test func `a link before the first scene opens with the scene, and once`() async throws {
        let url = try #require(URL(string: "https://shop.example/order/1042"))
        activity.webpageURL = url
        delegate.open(url, by: "app")
        let app = try connect(UIScene.ConnectionOptions(userActivities: [activity]))
        await settle()
        #expect(app.navigation.titles == ["2 orders", "Lamp"])
        #expect(app.motherboard.liveCount(of: OrderPage.id) == 1)
    }

    @Test(arguments: [true, false]) func `a link to two scenes opens in each one, or once if they share a receiver`(
        isShared: Bool
    ) async throws {
        let url = try #require(URL(string: "https://shop.example/order/1042"))
        let clock = ManualClock()
        let links = LinkReceiver(clock: clock)
        let receivers = [links, isShared ? links : LinkReceiver(clock: clock)]
        let apps = receivers.map { Step3.AppWindow(shop: Shop(), links: $0) }
        for (number, app) in apps.enumerated() { app.open(url, by: "scene \(number)") }
        await settle()
        #expect(apps.map(\.navigation.viewControllers.count) == [2, isShared ? 1 : 2])
    }
}
