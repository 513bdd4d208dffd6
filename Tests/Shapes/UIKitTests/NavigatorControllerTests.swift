import BackplaneNavigation
import BackplaneTesting
import BackplaneUIKit
import Foundation
import ShapesTestTools
import Testing
import UIKit

private final class TitledController: UIViewController {
    init(_ title: String) {
        super.init(nibName: nil, bundle: nil)
        self.title = title
    }

    override var preferredStatusBarStyle: UIStatusBarStyle { title == "film" ? .lightContent : .default }
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        title == "film" ? .landscape : .portrait
    }

    @available(*, unavailable) required init?(coder: NSCoder) { nil }
}

private final class Context: NSObject, UISheetPresentationControllerDetentResolutionContext {
    let maximumDetentValue: CGFloat

    init(maximumDetentValue: CGFloat) {
        self.maximumDetentValue = maximumDetentValue
    }
}

/// An alert of the app, which no navigator knows.
@MainActor private func alert(_ title: String) -> UIAlertController {
    let alert = UIAlertController(title: title, message: nil, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    return alert
}

@MainActor private final class Window {
    let navigator = Navigator<String>.onMain(clock: ManualClock())
    let window = UIWindow()
    let controller: NavigatorController<String>

    /// Shows a navigator, with orders that are given before the window is shown.
    init(_ orders: (Navigator<String>) -> Void = { _ in }) {
        let log = Log()
        controller = NavigatorController(navigator) { screen in
            log.made.append(screen)
            return TitledController(screen)
        }
        self.log = log
        orders(navigator)
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
        guard layers.indices.contains(layer) else { return nil }
        let children = layers[layer].children
        let tabs = children.compactMap { $0 as? UITabBarController }.first
        return children.compactMap { $0 as? UINavigationController }.first
            ?? tabs?.viewControllers?[tab] as? UINavigationController
    }

    func titles(_ layer: Int = 0, tab: Int = 0) -> [String] {
        stack(layer, tab: tab)?.viewControllers.compactMap(\.title) ?? []
    }

    var alert: UIAlertController? { layers.last as? UIAlertController }
    var tabs: UITabBarController? { controller.children.first as? UITabBarController }

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

    @Test func `if a push is in the same turn as a pop by the user, it ends with the popped place`() async {
        let places = await window.order { [$0.setRoot("home"), $0.push("a")] }
        window.stack()?.popViewController(animated: true)
        let pushed = navigator.push("b")
        await settle()
        #expect(places.map(\.isDismissedByUser) == [false, true])
        #expect(pushed.isDismissedByUser)
        #expect(window.titles() == ["home"])
    }

    @Test func `a push in the same turn as another change is not a pop`() async {
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
        let tabs = window.tabs
        #expect(window.titles(tab: 0) == ["one", "a"])
        #expect(window.titles(tab: 1) == ["two"])
        tabs?.selectedIndex = 1
        await settle()
        #expect(navigator.top === roots[1])
        #expect(navigator.places.contains(pushed))
        await window.order { $0.select(roots[0]) }
        #expect(tabs?.selectedIndex == 0)
    }

    @Test(.rule("V19")) func `a tap on a tab that an order has just selected does not pop a screen`() async {
        let roots = await window.order { $0.setTabs(["one", "two"]) }
        let pushed = await window.order { navigator in
            navigator.select(roots[1])
            defer { navigator.select(roots[0]) }
            return navigator.push("a")
        }
        window.tabs?.selectedIndex = 1
        navigator.select(roots[1])
        await settle()
        #expect(!pushed.isDismissedByUser && navigator.top === pushed)
    }

    @Test func `a pop counts, even if its push and its end are in one turn of the run loop`() async {
        let home = await window.order { $0.setRoot("home") }
        let pushed = navigator.push("a")
        while window.titles() != ["home", "a"] { await Task.yield() }
        window.stack()?.popViewController(animated: true)
        await settle()
        #expect(pushed.isDismissedByUser && navigator.top === home)
    }

    @Test func `a dialog is an alert, and its button is the answer`() async throws {
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

    @Test(.rule("V31")) func `a sheet has the heights of its form`() async throws {
        _ = await window.order { $0.setRoot("home") }
        _ = await window.order { $0.present("a", form: .heights([.large, .medium, .points(400), .fraction(0.25)])) }
        let sheet = try #require(window.layers[1].sheetPresentationController)
        func heights(of window: CGFloat) -> [CGFloat?] {
            sheet.detents.map { $0.resolvedValue(in: Context(maximumDetentValue: window)) }
        }
        #expect(heights(of: 1000) == [250, 400, 500, 1000])
        // The window has turned.
        #expect(heights(of: 600) == [150, 300, 400, 600])
        #expect(heights(of: 300) == [75, 150, 300, 300])
        _ = await window.order { $0.present("b") }
        #expect(window.layers[2].modalPresentationStyle == .automatic)
    }

    @Test(.rule("V31")) func `a popover points to its source, and its end is a report`() async throws {
        _ = await window.order { $0.setRoot("home") }
        window.controller.view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
        let place = await window.order { $0.present("colors", form: .popover(x: 0.5, y: 0.25)) }
        #expect(window.titles(1) == ["colors"])
        let popover = try #require(window.layers[1].popoverPresentationController)
        #expect(popover.sourceView === window.controller.view)
        #expect(popover.sourceRect.origin == CGPoint(x: 200, y: 200))
        window.controller.dismiss(animated: true)
        await settle()
        #expect(place.isDismissedByUser)
        #expect(window.layers.count == 1)

        window.controller.view.layoutDirection = .rightToLeft
        _ = await window.order { $0.present("fonts", form: .popover(x: 0.1, y: 0)) }
        #expect(window.layers[1].popoverPresentationController?.sourceRect.origin == CGPoint(x: 360, y: 0))
    }

    @Test(.rule("V32")) func `a dialog of actions is an action sheet, which has a source for a tablet`() async throws {
        _ = await window.order { $0.setRoot("home") }
        let navigator = navigator
        let dialog = Dialog<Bool>("Delete?", choices: [.init("Delete", true, role: .destructive)], style: .actionSheet)
        let asking = Task { try await navigator.ask(dialog) }
        await settle()
        #expect(window.alert?.preferredStyle == .actionSheet)
        #expect(window.alert?.popoverPresentationController?.sourceView != nil)
        window.alert?.tap("Delete")
        #expect(try await asking.value)
    }

    @Test(.rule("V35")) func `the screen on top decides about the status bar and the orientations`() async {
        func asked() -> [String?] {
            let controllers = [window.window.controllerForStatusBar, window.controller.childForStatusBarHidden]
            return controllers.map { $0?.title }
        }
        let before = (window.controller.statusBarUpdates, window.controller.orientationUpdates)
        _ = await window.order { $0.setRoot("home") }
        #expect(asked() == ["home", "home"])
        #expect(window.controller.supportedInterfaceOrientations == .portrait)
        _ = await window.order { $0.push("film") }
        #expect(asked() == ["film", "film"])
        #expect(window.window.controllerForStatusBar?.preferredStatusBarStyle == .lightContent)
        #expect(window.controller.supportedInterfaceOrientations == .landscape)

        let pushed = (window.controller.statusBarUpdates, window.controller.orientationUpdates)
        #expect(pushed.0 > before.0 && pushed.1 > before.1)
        window.stack()?.popViewController(animated: true)
        await settle()
        #expect(asked() == ["home", "home"])
        #expect(window.controller.statusBarUpdates > pushed.0)
        #expect(window.controller.orientationUpdates > pushed.1)

        let roots = await window.order { $0.setTabs(["home", "film"]) }
        await window.order { $0.select(roots[1]) }
        #expect(asked() == ["film", "film"])
        _ = await window.order { $0.setTabs([]) }
        #expect(window.controller.childForStatusBarHidden == nil)
        #expect(window.controller.supportedInterfaceOrientations == .all)
    }

    @Test(.rule("V27")) func `a link before the first appearance keeps its places`() async {
        let window = Window { navigator in
            navigator.setRoot("home")
            navigator.push("a")
        }
        await settle()
        #expect(window.navigator.places.map(\.screen) == ["home", "a"])
        #expect(window.titles() == ["home", "a"])
    }

    @Test(.rule("V27")) func `a place that is pushed into a new sheet or tab in the same turn stays`() async {
        let pushed = await window.order { navigator in
            navigator.setRoot("home")
            navigator.present("sheet")
            return navigator.push("a")
        }
        #expect(!pushed.isDismissedByUser)
        #expect(window.titles(1) == ["sheet", "a"])
        let other = await window.order { navigator in
            let roots = navigator.setTabs(["one", "two"])
            navigator.select(roots[1])
            return navigator.push("b")
        }
        #expect(!other.isDismissedByUser)
        #expect(window.titles(tab: 1) == ["two", "b"])
        #expect(window.tabs?.selectedIndex == 1)
    }

    @Test(.rule("V28"), arguments: [true, false])
    func `a layer is shown after a controller of other code has disappeared`(isAlert: Bool) async {
        _ = await window.order { $0.setRoot("home") }
        let other = isAlert ? alert("Foreign") : UIViewController()
        other.modalPresentationStyle = .pageSheet
        // A content controller presents, as code of the app does.
        window.stack()?.topViewController?.present(other, animated: true)
        await settle()
        let places = await window.order { [$0.present("sheet"), $0.push("a")] }
        #expect(window.layers.last === other)
        other.dismiss(animated: true)
        await settle()
        #expect(window.titles(1) == ["sheet", "a"])
        #expect(navigator.places.suffix(2) == places)
    }

    @Test(.rule("V28")) func `if UIKit refuses to show a layer, the layer is not closed, and is shown later`() async {
        _ = await window.order { $0.setRoot("home") }
        window.controller.refusesPresentations = true
        let sheet = await window.order { $0.present("sheet") }
        #expect(window.layers.count == 1 && navigator.top === sheet)
        window.controller.refusesPresentations = false
        window.stack()?.topViewController?.present(alert("Foreign"), animated: true)
        await settle()
        window.controller.dismiss(animated: true)
        await settle()
        #expect(window.titles(1) == ["sheet"])
    }

    @Test(.rule("V28")) func `a question is shown after a controller of other code has disappeared`() async throws {
        _ = await window.order { $0.setRoot("home") }
        let (navigator, other) = (navigator, alert("Foreign"))
        window.controller.present(other, animated: true)
        let asking = Task { try await navigator.ask(Dialog("Keep?", choices: [.init("Keep", true)])) }
        await settle()
        #expect(window.alert === other)
        other.tap("OK")
        await settle()
        window.alert?.tap("Keep")
        #expect(try await asking.value)
    }

    @Test(.rule("V24"), arguments: [true, false])
    func `a question ends when the app takes its alert away`(isReplaced: Bool) async throws {
        _ = await window.order { $0.setRoot("home") }
        let navigator = navigator
        let asking = Task { try await navigator.ask(Dialog("Keep?", choices: [.init("Keep", true)])) }
        await settle()
        window.controller.dismiss(animated: true)
        if isReplaced { window.controller.present(alert("Foreign"), animated: true) }
        await #expect(throws: CancellationError.self) { try await asking.value }
        await settle()
        #expect(window.alert?.title == (isReplaced ? "Foreign" : nil))
    }

    @Test func `a pop by gesture counts when its transition ends, and a push waits for it`() async {
        let places = await window.order { [$0.setRoot("home"), $0.push("a")] }
        let shown = window.stack()?.viewControllers ?? []
        window.stack()?.beginTransition(isInteractive: true)
        window.stack()?.popViewController(animated: true)
        let pushed = await window.order { $0.push("b") }
        #expect(window.titles() == ["home"])
        #expect(places.map(\.isDismissedByUser) == [false, false])
        // The user lets go too early.
        window.stack()?.setViewControllers(shown, animated: false)
        window.stack()?.endTransition()
        await settle()
        #expect(window.titles() == ["home", "a", "b"])
        #expect(navigator.places == places + [pushed])
    }

    @Test(.rule("V29")) func `the controller adds nothing to the controllers of screens`() async {
        _ = await window.order { [$0.setRoot("home"), $0.push("a"), $0.present("b")] }
        let contents = (window.stack()?.viewControllers ?? []) + (window.stack(1)?.viewControllers ?? [])
        #expect(contents.count == 3)
        #expect(contents.flatMap(\.children).isEmpty)
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
