#if canImport(UIKit) && !os(watchOS)
    import Backplane
    import BackplaneNavigation
    import BackplaneUIKit
    import Testing
    import UIKit

    private enum Page: BoardContract {
        typealias Input = UIViewController
    }

    extension BoardID<Page> {
        fileprivate static var page: Self { "page" }
    }

    @MainActor private final class PageBoard: Board {
        let slot: Slot<Page>

        init(slot: Slot<Page>) {
            self.slot = slot
        }

        func activate(with controller: UIViewController) {
            pair(with: controller.life)
        }
    }

    /// A board that is paired with a controller.
    @MainActor private final class PairedBoard {
        private let motherboard = Motherboard.onMain()
        private let activation: Activation<Page>

        init(_ controller: UIViewController) {
            motherboard.register(.page) { slot in PageBoard(slot: slot) }
            activation = motherboard.activate(.page, with: controller)
        }

        var hasEnded: Bool { activation.completion?.isCancelled == true }
    }

    /// Tests that also run on UIKit itself, in a simulator: the manifest of the library has this
    /// file as a test target on a Mac.
    ///
    /// No app runs the tests, so they present nothing and animate nothing.
    @Suite(.timeLimit(.minutes(1))) @MainActor struct RealUIKitTests {
        private let window = UIWindow()

        init() {
            window.makeKeyAndVisible()
        }

        /// Gives the main run loop enough turns for all reports.
        private func turn() async {
            for _ in 0..<200 { await Task.yield() }
        }

        /// Waits until the condition holds, or the time limit of the tests is over.
        private func wait(until condition: () -> Bool) async {
            while !condition(), !Task.isCancelled { await Task.yield() }
        }

        @Test func `if a controller is popped, its life ends, and if it is covered, its life continues`() async {
            let navigation = UINavigationController(rootViewController: UIViewController())
            window.rootViewController = navigation
            let controllers = [UIViewController(), UIViewController()]
            let boards = controllers.map(PairedBoard.init)
            for controller in controllers { navigation.pushViewController(controller, animated: false) }
            await turn()
            #expect(boards.map(\.hasEnded) == [false, false])
            navigation.popViewController(animated: false)
            await wait { boards[1].hasEnded }
            #expect(boards.map(\.hasEnded) == [false, true])
        }

        @Test func `if a controller is removed with its parent, its life ends`() async {
            let (root, parent, child) = (UIViewController(), UIViewController(), UIViewController())
            window.rootViewController = root
            root.addChild(parent)
            root.view.addSubview(parent.view)
            parent.didMove(toParent: root)
            parent.addChild(child)
            let board = PairedBoard(child)
            await turn()
            #expect(!board.hasEnded)
            parent.willMove(toParent: nil)
            parent.view.removeFromSuperview()
            parent.removeFromParent()
            await wait { board.hasEnded }
            #expect(board.hasEnded)
        }

        @Test func `a controller in an unselected tab lives until the window shows other controllers`() async {
            let controllers = [UIViewController(), UIViewController()]
            let tabs = UITabBarController()
            tabs.setViewControllers(controllers, animated: false)
            window.rootViewController = tabs
            let boards = controllers.map(PairedBoard.init)
            await turn()
            tabs.selectedIndex = 1
            await turn()
            #expect(boards.map(\.hasEnded) == [false, false])
            window.rootViewController = UIViewController()
            await wait { boards.allSatisfy(\.hasEnded) }
            #expect(boards.map(\.hasEnded) == [true, true])
        }

        @Test func `a navigator learns that the user went back`() async throws {
            let navigator = Navigator<String>.onMain()
            navigator.setRoot("list")
            let place = navigator.push("detail")
            let controller = NavigatorController(navigator) { _ in UIViewController() }
            window.rootViewController = controller
            await wait { controller.children.first is UINavigationController }
            let stack = try #require(controller.children.first as? UINavigationController)
            #expect(stack.viewControllers.count == 2)
            stack.popViewController(animated: false)
            await wait { navigator.places.count == 1 }
            #expect(navigator.top?.screen == "list")
            #expect(place.isDismissedByUser)
        }

        @Test func `a navigator learns which tab the user selected`() async throws {
            let navigator = Navigator<String>.onMain()
            let places = navigator.setTabs(["one", "two"])
            let controller = NavigatorController(navigator) { _ in UIViewController() }
            window.rootViewController = controller
            await wait { controller.children.first is UITabBarController }
            let tabs = try #require(controller.children.first as? UITabBarController)
            tabs.selectedIndex = 1
            await wait { navigator.top === places[1] }
            #expect(navigator.top === places[1])
        }
    }
#endif
