import Backplane
import BackplaneUIKit
import ShapesTestTools
import SwiftUI
import Testing
import UIKit

enum SomeScreen: BoardContract {
    typealias Input = UIViewController
}

extension BoardID<SomeScreen> {
    static var someScreen: Self { "some" }
}

/// The board of the source "Boardy": it pairs itself with any controller.
@MainActor final class SomeBoard: Board {
    let slot: Slot<SomeScreen>

    init(slot: Slot<SomeScreen>) {
        self.slot = slot
    }

    func activate(with rootViewController: UIViewController) {
        pair(with: rootViewController.life)
    }
}

/// A board that is paired with a controller.
@MainActor private final class Watch {
    private let motherboard = Motherboard.onMain()
    private let activation: Activation<SomeScreen>

    init(_ controller: UIViewController) {
        motherboard.register(.someScreen) { slot in SomeBoard(slot: slot) }
        activation = motherboard.activate(.someScreen, with: controller)
    }

    var hasEnded: Bool { activation.completion?.isCancelled == true }

    /// Waits until the board has ended.
    func end() async {
        while !hasEnded, !Task.isCancelled { await Task.yield() }
    }
}

/// Gives the main actor enough turns for all reports.
@MainActor func settle() async {
    for _ in 0..<200 { await Task.yield() }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct LifeTests {
    private let window = UIWindow()
    private let root = UIViewController()
    private let navigation: UINavigationController

    init() {
        navigation = UINavigationController(rootViewController: root)
        window.rootViewController = navigation
        window.makeKeyAndVisible()
    }

    @Test func `if a controller is popped, its life ends, and if it is covered, its life continues`() async {
        let (first, second) = (UIViewController(), UIViewController())
        navigation.pushViewController(first, animated: true)
        let firstWatch = Watch(first)
        await settle()
        navigation.pushViewController(second, animated: true)
        let secondWatch = Watch(second)
        await settle()
        #expect((firstWatch.hasEnded, secondWatch.hasEnded) == (false, false))
        navigation.popViewController(animated: true)
        #expect(!secondWatch.hasEnded)
        await secondWatch.end()
        #expect((firstWatch.hasEnded, secondWatch.hasEnded) == (false, true))
        navigation.popViewController(animated: true)
        await firstWatch.end()
        #expect(firstWatch.hasEnded)
    }

    @Test func `if a covered controller leaves, its life ends`() async {
        let (first, second) = (UIViewController(), UIViewController())
        let watches = [Watch(first), Watch(second)]
        navigation.setViewControllers([root, first, second], animated: true)
        await settle()
        navigation.popToRootViewController(animated: true)
        for watch in watches { await watch.end() }
        #expect(watches.map(\.hasEnded) == [true, true])
        #expect(first.parent == nil)
    }

    @Test(arguments: [UIModalPresentationStyle.fullScreen, .pageSheet])
    func `a presented controller lives until it is dismissed`(style: UIModalPresentationStyle) async {
        let rootWatch = Watch(root)
        let presented = UIViewController()
        presented.modalPresentationStyle = style
        root.present(presented, animated: true)
        let watch = Watch(presented)
        await settle()
        #expect((rootWatch.hasEnded, watch.hasEnded) == (false, false))
        root.dismiss(animated: true)
        await watch.end()
        #expect((rootWatch.hasEnded, watch.hasEnded) == (false, true))
    }

    @Test func `if a controller is removed with its parent, its life ends`() async {
        let (container, child) = (UIViewController(), UIViewController())
        container.addChild(child)
        container.view.addSubview(child.view)
        child.didMove(toParent: container)
        let watch = Watch(child)
        navigation.pushViewController(container, animated: true)
        await settle()
        #expect(!watch.hasEnded)
        navigation.popViewController(animated: true)
        await settle()
        #expect(child.parent === container)
        #expect(watch.hasEnded)
    }

    @Test func `a controller in a tab that is not selected lives`() async {
        let (one, two) = (UIViewController(), UIViewController())
        let tabs = UITabBarController()
        tabs.viewControllers = [UINavigationController(rootViewController: one), two]
        window.rootViewController = tabs
        let watches = [Watch(one), Watch(two)]
        await settle()
        tabs.selectedIndex = 1
        await settle()
        #expect(watches.map(\.hasEnded) == [false, false])
        window.rootViewController = UIViewController()
        for watch in watches { await watch.end() }
        #expect(watches.map(\.hasEnded) == [true, true])
    }

    @Test(.rule("V29"), arguments: ["any", "navigation", "tabs", "alert", "split", "pages", "hosting"])
    func `a life does not change a controller of any kind, and does not load its view`(kind: String) async {
        let kinds = [
            "navigation": UINavigationController(), "tabs": UITabBarController(), "alert": UIAlertController(),
            "split": UISplitViewController(style: .doubleColumn),
            "pages": UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal),
            "hosting": UIHostingController(rootView: EmptyView()),
        ]
        let controller = kinds[kind] ?? UIViewController()
        let watch = Watch(controller)
        #expect(controller.children.isEmpty && !controller.isViewLoaded)
        root.present(controller, animated: true)
        await settle()
        #expect(controller.children.isEmpty && controller.view.subviews.isEmpty)
        #expect(!watch.hasEnded)
        root.dismiss(animated: true)
        await watch.end()
        #expect(watch.hasEnded)
    }

    @Test(.rule("V29")) func `a pop by gesture ends a life only when the pop is complete`() async {
        let controller = UIViewController()
        navigation.pushViewController(controller, animated: true)
        let watch = Watch(controller)
        await settle()
        navigation.beginTransition(isInteractive: true)
        navigation.popViewController(animated: true)
        await settle()
        #expect(!watch.hasEnded)
        navigation.pushViewController(controller, animated: false)
        navigation.endTransition()
        await settle()
        #expect(!watch.hasEnded)
        navigation.popViewController(animated: true)
        await watch.end()
        #expect(watch.hasEnded)
    }

    @Test func `a navigation controller lives longer than its first controller`() async {
        let flow = UINavigationController(rootViewController: UIViewController())
        root.present(flow, animated: true)
        let watch = Watch(flow)
        flow.setViewControllers([UIViewController()], animated: true)
        await settle()
        #expect(!watch.hasEnded)
        root.dismiss(animated: true)
        await watch.end()
        #expect(watch.hasEnded)
    }

    @Test func `a controller that is never shown lives until it is released`() async {
        var controller: UIViewController? = UIViewController()
        let watch = controller.map(Watch.init)
        navigation.pushViewController(UIViewController(), animated: true)
        await settle()
        #expect(watch?.hasEnded == false)
        controller = nil
        await watch?.end()
        #expect(watch?.hasEnded == true)
    }

    @Test func `a controller that returns has a new life`() async {
        let controller = UIViewController()
        let first = Watch(controller)
        let same = Watch(controller)
        navigation.pushViewController(controller, animated: true)
        await settle()
        navigation.popViewController(animated: true)
        await settle()
        #expect((first.hasEnded, same.hasEnded) == (true, true))
        navigation.pushViewController(controller, animated: true)
        let second = Watch(controller)
        await settle()
        #expect(!second.hasEnded)
    }

    // MARK: Containers of other kinds

    @Test(.rule("V29"), arguments: [true, false])
    func `a column lives while its split view controller is narrow`(hasCompactColumn: Bool) async {
        let (list, detail, other) = (UIViewController(), UIViewController(), UIViewController())
        let split = UISplitViewController(style: .doubleColumn)
        split.setViewController(list, for: .primary)
        split.setViewController(detail, for: .secondary)
        if hasCompactColumn { split.setViewController(UINavigationController(), for: .compact) }
        window.rootViewController = split
        let watches = [Watch(list), Watch(detail), Watch(split)]
        await settle()
        for isCollapsed in [true, false, true] {
            split.setCollapsed(isCollapsed)
            await settle()
            #expect(watches.map(\.hasEnded) == [false, false, false])
        }
        split.setCollapsed(false)
        split.setViewController(other, for: .secondary)
        await watches[1].end()
        #expect(watches.map(\.hasEnded) == [false, true, false])
        split.setCollapsed(true)
        await settle()
        window.rootViewController = UIViewController()
        for watch in watches { await watch.end() }
        #expect(watches.map(\.hasEnded) == [true, true, true])
    }

    @Test(.rule("V29")) func `a page lives until another page takes its place`() async {
        let (one, two) = (UIViewController(), UIViewController())
        let pages = UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        pages.setViewControllers([one], direction: .forward, animated: false)
        navigation.pushViewController(pages, animated: true)
        let watches = [Watch(one), Watch(two), Watch(pages)]
        await settle()
        #expect(watches.map(\.hasEnded) == [false, false, false])
        pages.setViewControllers([two], direction: .forward, animated: true)
        await watches[0].end()
        #expect(watches.map(\.hasEnded) == [true, false, false])
        navigation.popViewController(animated: true)
        for watch in watches { await watch.end() }
        #expect(two.parent === pages && watches.map(\.hasEnded) == [true, true, true])
    }

    @Test(.rule("V29")) func `an empty navigation controller lives before and after its screens`() async {
        let flow = UINavigationController()
        let watch = Watch(flow)
        root.present(flow, animated: true)
        await settle()
        let content = UIViewController()
        flow.setViewControllers([content], animated: false)
        let contentWatch = Watch(content)
        await settle()
        flow.setViewControllers([], animated: false)
        await contentWatch.end()
        #expect((watch.hasEnded, contentWatch.hasEnded) == (false, true))
        root.dismiss(animated: true)
        await watch.end()
        #expect(watch.hasEnded)
    }
}
