import BackplaneNavigation
import BackplaneTesting
import BackplaneUIKit
import Foundation
import Testing
import UIKit

private final class TitledController: UIViewController {
    init(_ title: String) {
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    @available(*, unavailable) required init?(coder: NSCoder) { nil }
}

@MainActor private final class Window {
    let navigator = Navigator<String>.onMain(clock: ManualClock())
    let window = UIWindow()
    let controller: NavigatorController<String>

    init() {
        let log = Log()
        controller = NavigatorController(navigator) { screen in
            log.made.append(screen)
            return TitledController(screen)
        }
        self.log = log
        window.rootViewController = controller
        window.makeKeyAndVisible()
    }

    private final class Log {
        var made: [String] = []
    }
    private let log: Log
    var madeScreens: [String] { log.made }

    /// The lowest controller, and those presented above it.
    var layers: [UIViewController] {
        var layers: [UIViewController] = [controller]
        while let next = layers.last?.presentedViewController { layers.append(next) }
        return layers
    }

    func stack(_ layer: Int = 0, tab: Int = 0) -> UINavigationController? {
        let children = layers[layer].children
        let tabs = children.compactMap { $0 as? UITabBarController }.first
        return children.compactMap { $0 as? UINavigationController }.first
            ?? tabs?.viewControllers?[tab] as? UINavigationController
    }

    func titles(_ layer: Int = 0, tab: Int = 0) -> [String] {
        stack(layer, tab: tab)?.viewControllers.compactMap(\.title) ?? []
    }

    var alert: UIAlertController? { layers.last as? UIAlertController }

    func order<Result>(_ order: (Navigator<String>) -> Result) async -> Result {
        let result = order(navigator)
        await settle()
        return result
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct NavigatorControllerTests {
    private let window = Window()
    private var navigator: Navigator<String> { window.navigator }

    @Test func `a stack follows pushes and pops, with one controller for each place`() async {
        let home = await window.order { $0.setRoot("home") }
        #expect(window.titles() == ["home"])
        _ = await window.order { ["a", "b"].map($0.push) }
        #expect(window.titles() == ["home", "a", "b"])
        await window.order { $0.back(to: home) }
        #expect(window.titles() == ["home"])
        _ = await window.order { $0.push("c") }
        #expect(window.titles() == ["home", "c"])
        #expect(window.madeScreens == ["home", "a", "b", "c"])
        _ = await window.order { $0.setRoot("other") }
        #expect(window.titles() == ["other"])
    }

    @Test func `a pop by the user ends exactly the places that left`() async {
        let places = await window.order { [$0.setRoot("home")] + ["a", "b"].map($0.push) }
        window.stack()?.popViewController(animated: true)
        await settle()
        #expect(places.map(\.isDismissedByUser) == [false, false, true])
        #expect(window.titles() == ["home", "a"])
        window.stack()?.popToRootViewController(animated: true)
        await settle()
        #expect(places.map(\.isDismissedByUser) == [false, true, true])
    }

    @Test func `a push in the turn of a pop by the user ends with the popped place`() async {
        let places = await window.order { [$0.setRoot("home"), $0.push("a")] }
        window.stack()?.popViewController(animated: true)
        let pushed = navigator.push("b")
        await settle()
        #expect(places.map(\.isDismissedByUser) == [false, true])
        #expect(pushed.isDismissedByUser)
        #expect(window.titles() == ["home"])
    }

    @Test func `a push in the turn of another change is no pop`() async {
        let places = await window.order { [$0.setRoot("home"), $0.push("a")] }
        let other = UIViewController()
        other.modalPresentationStyle = .fullScreen
        window.controller.present(other, animated: true)
        let pushed = navigator.push("b")
        await settle()
        #expect(navigator.places == places + [pushed])
        #expect(window.titles() == ["home", "a", "b"])
    }

    @Test(arguments: [PresentationStyle.sheet, .cover])
    func `a layer follows orders, and reports a dismissal by the user`(style: PresentationStyle) async {
        _ = await window.order { $0.setRoot("home") }
        let first = await window.order { $0.present("a", as: style) }
        #expect(window.layers.count == 2)
        #expect(window.titles(1) == ["a"])
        await window.order { _ in first.dismiss() }
        #expect(window.layers.count == 1)
        #expect(!first.isDismissedByUser)

        let second = await window.order { $0.present("b", as: style) }
        window.controller.dismiss(animated: true)
        await settle()
        #expect(second.isDismissedByUser)
        #expect(navigator.layers.count == 1)
        _ = await window.order { $0.present("c", as: style) }
        #expect(window.titles(1) == ["c"])
    }

    @Test func `several presentations are shown one after the other`() async {
        _ = await window.order { navigator in
            navigator.setRoot("home")
            navigator.present("a")
            navigator.present("b", as: .cover)
            return navigator.present("c")
        }
        #expect(window.layers.count == 4)
        #expect(window.titles(3) == ["c"])
        _ = await window.order { navigator in
            navigator.uncover()
            return navigator.present("d")
        }
        #expect(window.layers.count == 2)
        #expect(window.titles(1) == ["d"])
    }

    @Test func `tabs follow the navigator, and a selection by the user is reported`() async {
        let roots = await window.order { $0.setTabs(["one", "two"]) }
        let pushed = await window.order { $0.push("a") }
        let tabs = window.controller.children.first as? UITabBarController
        #expect(window.titles(tab: 0) == ["one", "a"])
        #expect(window.titles(tab: 1) == ["two"])
        tabs?.selectedIndex = 1
        await settle()
        #expect(navigator.top === roots[1])
        #expect(navigator.places.contains(pushed))
        await window.order { $0.select(roots[0]) }
        #expect(tabs?.selectedIndex == 0)
    }

    @Test func `a dialog is an alert, whose button is the answer`() async throws {
        _ = await window.order { $0.setRoot("home") }
        let navigator = navigator
        let dialog = Dialog<Bool>("Keep?", message: "Later", choices: [.init("Keep", true)])
        let asking = Task { try await navigator.ask(dialog) }
        await settle()
        #expect(window.alert?.title == "Keep?")
        #expect(window.alert?.actions.map(\.title) == ["Keep", "Cancel"])
        window.alert?.tap("Keep")
        #expect(try await asking.value)
        await settle()
        #expect(window.layers.count == 1)

        let cancelled = Task { try await navigator.ask(dialog) }
        await settle()
        window.alert?.tap("Cancel")
        await #expect(throws: CancellationError.self) { try await cancelled.value }

        let ended = Task { try await navigator.ask(dialog) }
        await settle()
        ended.cancel()
        await #expect(throws: CancellationError.self) { try await ended.value }
        await settle()
        #expect(window.layers.count == 1)
    }

    @Test func `the window of the sample shows the navigator`() async {
        let (navigator, window) = (navigator, UIWindow())
        window.rootViewController = NavigatorController(navigator) { screen in
            TitledController(screen)
        }
        window.makeKeyAndVisible()
        navigator.setRoot("home")
        await settle()
        let stack = window.rootViewController?.children.first as? UINavigationController
        #expect(stack?.topViewController?.title == "home")
    }

    @Test func `closing the navigator ends all places`() async {
        _ = await window.order { [$0.setRoot("home"), $0.push("a"), $0.present("b")] }
        await window.order { $0.close() }
        #expect(navigator.places.isEmpty)
        #expect(window.layers.count == 1)
        #expect(window.titles().isEmpty)
    }
}
