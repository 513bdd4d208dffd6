import Backplane
import BackplaneTesting
import BackplaneUIKit
import ShapesTestTools
import Testing
import UIKit

@testable import ExistingApp

/// The coordinator with four children, in a window whose transitions take a second.
@Suite(.rule("V29"), .timeLimit(.minutes(5))) @MainActor struct ShopCoordinatorTests {
    private let root = UINavigationController(rootViewController: UIViewController())
    private let transitions = ShapeTransitions { .seconds(1) }
    private let motherboard = Motherboard.onMain()
    private let scene: Scene
    private let flow: Activation<ShopFlow>

    /// The part of the app that a closed scene releases.
    private final class Scene {
        var window: UIWindow?
        weak var coordinator: ShopCoordinator?
    }

    init() {
        let scene = Scene()
        self.scene = scene
        motherboard.register(.shop) { slot in
            let coordinator = ShopCoordinator(slot: slot)
            scene.coordinator = coordinator
            return coordinator
        }
        scene.window = shownWindow(root)
        scene.window?.transitions = transitions
        flow = motherboard.activate(.shop, with: root)
    }

    private func activate(_ id: BoardID<ShopPage>, _ controller: UIViewController) throws -> Activation<ShopPage> {
        try #require(scene.coordinator).inner.activate(id, with: controller)
    }

    /// Lets all transitions come to their end.
    private func rest() async {
        for _ in 0..<6 {
            await settle()
            transitions.advanceToNextEnd()
        }
        await settle()
    }

    @Test func `a push while a form is being presented keeps both boards`() async throws {
        let help = try activate(.help, UIViewController())
        await settle()
        #expect(transitions.isRunning)
        let basket = try activate(.basket, UIViewController())
        await rest()
        #expect((help.state, basket.state, flow.state) == (.active, .active, .active))
        root.dismiss(animated: true)
        await rest()
        #expect((help.state, basket.state) == (.completed, .active))
        #expect(transitions.problems.isEmpty)
    }

    @Test(arguments: [true, false]) func `a swipe back ends a board only when it is complete`(
        isCancelled: Bool
    ) async throws {
        let offers = try activate(.offers, UIViewController())
        await rest()
        let profile = try activate(.profile, UIViewController())
        await rest()
        root.swipeBack(isCancelled: isCancelled)
        await settle()
        #expect((offers.state, profile.state) == (.active, .active))
        await rest()
        #expect((offers.state, profile.state) == (.active, isCancelled ? .active : .completed))
    }

    @Test func `an alert above the screens does not end a board`() async throws {
        let help = try activate(.help, UIViewController())
        await rest()
        let alert = UIAlertController(title: "No network", message: nil, preferredStyle: .alert)
        root.presentedViewController?.present(alert, animated: true)
        await rest()
        alert.presentingViewController?.dismiss(animated: true)
        await rest()
        #expect((help.state, flow.state) == (.active, .active))
        #expect(root.presentedViewController != nil)
    }

    @Test func `a closed scene ends the coordinator and all boards inside`() async throws {
        let pages = try [activate(.basket, UIViewController()), activate(.help, UIViewController())]
        await rest()
        scene.window = nil
        await rest()
        #expect(pages.map(\.state) == [.completed, .completed])
        #expect(flow.completion?.isCancelled == true)
    }

    // MARK: Bad input

    @Test func `a controller that moves to another container keeps its board`() async throws {
        let controller = UIViewController()
        let basket = try activate(.basket, controller)
        await rest()
        let other = UINavigationController()
        root.present(other, animated: true)
        await rest()
        root.setViewControllers(root.viewControllers.dropLast(), animated: false)
        other.setViewControllers([controller], animated: false)
        await rest()
        #expect(basket.state == .active)
        root.dismiss(animated: true)
        await rest()
        #expect(basket.state == .completed)
    }

    @Test func `two boards with one presented controller end with it`() async throws {
        let controller = UIViewController()
        let first = try activate(.help, controller)
        await rest()
        let second = try activate(.help, controller)
        await rest()
        #expect((first.state, second.state) == (.active, .active))
        root.dismiss(animated: true)
        await rest()
        #expect((first.state, second.state) == (.completed, .completed))
        #expect(transitions.problems.isEmpty)
    }

    @Test func `a controller that UIKit refuses is released early, and its board is cancelled`() async throws {
        let shown = try activate(.help, UIViewController())
        // UIKit presents one controller at a time.
        let refused = try activate(.help, UIViewController())
        await rest()
        #expect(shown.state == .active)
        #expect(refused.completion?.isCancelled == true)
    }
}
