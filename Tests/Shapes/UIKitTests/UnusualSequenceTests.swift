import Backplane
import BackplaneNavigation
import BackplaneTesting
import BackplaneUIKit
import Foundation
import Observation
import ShapesTestTools
import Testing
import UIKit

/// Counts the changes of a stack that observers are told.
@MainActor private final class Publications {
    private(set) var count = 0
    private let stack: Stack<Int>

    init(of stack: Stack<Int>) {
        self.stack = stack
        follow()
    }

    private func follow() {
        withObservationTracking {
            _ = stack.places
        } onChange: { [weak self] in
            Task { @MainActor in
                self?.count += 1
                self?.follow()
            }
        }
    }
}

/// Two navigators, whose controllers are in one controller or in two windows.
@MainActor private final class Pair {
    let navigators: [Navigator<String>]
    let windows: [UIWindow]
    let controllers: [NavigatorController<String>]

    init(isShared: Bool, isOneWindow: Bool) {
        let first = Navigator<String>.onMain(clock: ManualClock())
        navigators = isShared ? [first, first] : [first, .onMain(clock: ManualClock())]
        controllers = navigators.map { navigator in
            NavigatorController(navigator) { screen in
                let controller = UIViewController()
                controller.title = screen
                return controller
            }
        }
        windows = (isOneWindow ? [0] : [0, 1]).map { _ in UIWindow() }
        if isOneWindow {
            let root = UIViewController()
            for controller in controllers {
                root.addChild(controller)
                root.view.addSubview(controller.view)
                controller.didMove(toParent: root)
            }
            windows[0].rootViewController = root
        } else {
            for (window, controller) in zip(windows, controllers) { window.rootViewController = controller }
        }
        for window in windows { window.makeKeyAndVisible() }
    }

    func titles(_ controller: UIViewController?) -> [String] {
        (controller?.children.first as? UINavigationController)?.viewControllers.compactMap(\.title) ?? []
    }
}

/// Tests of sequences that a hostile reader found, against a host with transitions.
@Suite(.timeLimit(.minutes(2))) @MainActor struct UnusualSequenceTests {
    private let window = TracedWindow { .seconds(1) }
    private var navigator: Navigator<Int> { window.navigator }

    // iOS 17.0 and 17.1 keep dismissed controllers.
    @Test(.rule("V3", "V30"), arguments: [true, false])
    func `the kept controller of a closed sheet does nothing more`(isByUser: Bool) async {
        await window.start()
        let sheet = navigator.present(2)
        await window.rest()
        let (kept, publications) = (window.chain[1], Publications(of: navigator.topLayer.stack))
        if isByUser { window.chain[0].pullDown(isCancelled: false) } else { sheet.dismiss() }
        await window.rest()
        let before = publications.count
        await window.turns(300)
        #expect(publications.count == before)
        #expect(kept.presentingViewController == nil)
    }

    @Test(.rule("V3")) func `while a sheet waits for its dismissal, it does nothing`() async {
        await window.start { navigator in
            navigator.setRoot(1)
            navigator.push(2)
        }
        let sheet = navigator.present(3)
        await window.rest()
        let publications = Publications(of: navigator.topLayer.stack)
        navigator.places[1].dismiss()
        await window.turns()
        #expect(window.transitions.isRunning)
        sheet.dismiss()
        await window.turns(300)
        #expect(publications.count < 3)
        await window.rest()
    }

    @Test(.rule("V9", "V23")) func `the last of two tabs is shown without the tab bar`() async {
        await window.start { $0.setTabs([1, 2]) }
        navigator.push(3)
        await window.rest()
        navigator.places.last?.dismiss()
        await window.rest()
        #expect(window.tabs(of: window.chain[0]) == nil)
        #expect(navigator.places.map(\.screen) == [1, 3])
    }

    @Test(.rule("V8")) func `a tab can be removed while its push is animated`() async {
        await window.start { $0.setTabs([1, 2, 4]) }
        let roots = navigator.base.stacks.compactMap(\.root)
        let pushed = navigator.push(3)
        await window.turns()
        #expect(window.transitions.isRunning)
        roots[0].dismiss()
        pushed.dismiss()
        await window.turns()
        await window.rest()
        #expect(navigator.places.map(\.screen) == [2, 4])
        #expect(window.endedLives == [1: 1, 3: 1])
    }

    @Test(.rule("V19")) func `a tab can be removed while the user selects it`() async {
        await window.start { $0.setTabs([1, 2, 3]) }
        let roots = navigator.base.stacks.compactMap(\.root)
        window.tabs(of: window.chain[0])?.selectedIndex = 1
        roots[1].dismiss()
        await window.rest()
        #expect(navigator.top === roots[0])
    }

    @Test(.rule("V31"), arguments: [true, false])
    func `a popover points to its place after the window has turned, too`(isDialog: Bool) async throws {
        await window.start()
        window.chain[0].view.frame = CGRect(x: 0, y: 0, width: 400, height: 800)
        let navigator = navigator
        var asking: Task<Bool, any Error>?
        if isDialog {
            let dialog = Dialog<Bool>("Delete?", choices: [.init("Delete", true)], style: .actionSheet)
            asking = Task { try await navigator.ask(dialog) }
        } else {
            navigator.present(2, form: .popover(x: 0.5, y: 0.5))
        }
        await window.rest()
        let popover = try #require(window.chain[1].popoverPresentationController)
        #expect(popover.sourceRect.origin == CGPoint(x: 200, y: 400))
        window.chain[0].view.frame = CGRect(x: 0, y: 0, width: 800, height: 400)
        await window.turns()
        #expect(popover.sourceRect.origin == CGPoint(x: 400, y: 200))
        asking?.cancel()
    }

    @Test(.rule("V22", "V32"), arguments: [true, false])
    func `an action sheet while a sheet closes is shown and answered`(isByUser: Bool) async throws {
        await window.start()
        let sheet = navigator.present(2, form: .heights([]))
        await window.rest()
        if isByUser { window.chain[0].pullDown(isCancelled: false) } else { sheet.dismiss() }
        await window.turns()
        let navigator = navigator
        let dialog = Dialog<Bool>("Delete?", choices: [.init("Delete", true)], style: .actionSheet)
        let asking = Task { try? await navigator.ask(dialog) }
        await window.turns()
        #expect(window.chain.count == 2 && window.transitions.isRunning)
        for _ in 0..<4 {
            window.transitions.advanceToNextEnd()
            await window.turns()
        }
        // The user's pull has not been reported when the question is asked at the sheet.
        if !isByUser { #expect((window.top as? UIAlertController)?.preferredStyle == .actionSheet) }
        (window.top as? UIAlertController)?.tap("Delete")
        await window.rest()
        #expect(await asking.value == (isByUser ? nil : true))
    }

    @Test(.rule("V10")) func `two questions of different styles are answered one after the other`() async {
        await window.start()
        let navigator = navigator
        let asking = [DialogStyle.alert, .actionSheet, .alert].enumerated().map { index, style in
            Task { try? await navigator.ask(Dialog("\(index)", choices: [.init("Yes", index)], style: style)) }
        }
        for style in [UIAlertController.Style.alert, .actionSheet, .alert] {
            await window.rest()
            #expect((window.top as? UIAlertController)?.preferredStyle == style)
            (window.top as? UIAlertController)?.tap("Yes")
        }
        await window.rest()
        for (index, task) in asking.enumerated() { #expect(await task.value == index) }
    }

    @Test(.rule("V10")) func `without transitions, sheets and questions follow one another`() async {
        let window = TracedWindow(hasTransitions: false) { .seconds(1) }
        let navigator = window.navigator
        await window.start()
        let asking = [0, 1].map { answer in
            Task { try? await navigator.ask(Dialog("Sure?", choices: [.init("Yes", answer as Int)])) }
        }
        await window.rest()
        let sheet = navigator.present(2)
        for _ in 0..<5 {
            await window.turns()
            window.transitions.advanceToNextEnd()
        }
        (window.top as? UIAlertController)?.tap("Yes")
        await window.rest()
        #expect(await asking[0].value == 0)
        sheet.dismiss()
        await window.rest()
        (window.top as? UIAlertController)?.tap("Yes")
        await window.rest()
        #expect(await asking[1].value == 1)
    }

    @Test(.rule("V1", "V29")) func `if a window loses its root during a presentation, each life ends once`() async {
        await window.start()
        navigator.present(2)
        navigator.push(3)
        // A life begins when the main loop has seen the controller in the window.
        await window.turns(200)
        #expect(window.transitions.isRunning)
        window.window.rootViewController = UIViewController()
        await window.turns()
        for _ in 0..<5 {
            window.transitions.advanceToNextEnd()
            await window.turns()
        }
        await window.turns(200)
        #expect(window.endedLives.allSatisfy { $0.value == 1 })
        #expect(Set(window.endedLives.keys) == window.madeScreens)
        #expect(navigator.places.count == 3)
        navigator.close()
        await window.turns()
    }

    @Test(.rule("V28")) func `navigators side by side show their sheets one after the other`() async {
        let pair = Pair(isShared: false, isOneWindow: true)
        for (index, navigator) in pair.navigators.enumerated() {
            navigator.setRoot("root \(index)")
            navigator.present("sheet \(index)")
        }
        let second = pair.navigators[1]
        await settle()
        let root = pair.windows[0].rootViewController
        #expect(pair.titles(root?.presentedViewController) == ["sheet 0"])
        root?.dismiss(animated: true)
        await settle()
        #expect(pair.navigators[0].layers.count == 1)
        #expect(pair.titles(root?.presentedViewController) == ["sheet 1"])
        let asking = Task { try? await pair.navigators[0].ask(Dialog("Keep?", choices: [.init("Keep", true)])) }
        await settle()
        #expect(root?.presentedViewController is NavigatorController<String>)
        second.topLayer.stack.root?.dismiss()
        await settle()
        (root?.presentedViewController as? UIAlertController)?.tap("Keep")
        await settle()
        asking.cancel()
        #expect(await asking.value == true)
    }

    @Test(.rule("V1", "V4")) func `if two windows show one navigator, each end is reported once`() async {
        let pair = Pair(isShared: true, isOneWindow: false)
        let navigator = pair.navigators[0]
        navigator.setRoot("home")
        let pushed = navigator.push("a")
        let sheet = navigator.present("sheet")
        await settle()
        #expect(pair.controllers.allSatisfy { pair.titles($0.presentedViewController) == ["sheet"] })
        pair.controllers[1].dismiss(animated: true)
        await settle()
        #expect(sheet.isDismissedByUser && !pushed.isDismissedByUser)
        #expect(pair.controllers.allSatisfy { $0.presentedViewController == nil })
        (pair.controllers[1].children.first as? UINavigationController)?.popViewController(animated: true)
        await settle()
        #expect(pushed.isDismissedByUser)
        #expect(pair.controllers.allSatisfy { pair.titles($0) == ["home"] })
        navigator.present("next")
        await settle()
        #expect(pair.controllers.allSatisfy { pair.titles($0.presentedViewController) == ["next"] })
    }

    @Test(.rule("V28")) func `orders during another root are shown when the navigator returns`() async {
        await window.start()
        let controller = window.chain[0]
        window.window.rootViewController = UIViewController()
        await window.turns()
        navigator.present(2)
        navigator.push(3)
        await window.turns()
        window.clock.advance(by: .seconds(4))
        window.window.rootViewController = controller
        await window.rest()
        #expect(window.chain.count == 2)
    }

    @Test(.rule("V35")) func `the screen of a cover decides about the status bar`() async {
        await window.start()
        navigator.present(2, as: .cover)
        navigator.push(3)
        await window.rest()
        #expect(window.chain[1].childForStatusBarStyle?.title == "3")
        #expect(window.chain[0].childForStatusBarStyle?.title == "1")
        window.stack(of: window.chain[1])?.swipeBack(isCancelled: true)
        await window.rest()
        #expect(window.chain[1].childForStatusBarStyle?.title == "3")
    }

    @Test(.rule("V31"), arguments: [[], [SheetHeight.points(.nan), .fraction(-1), .points(0)]])
    func `if heights cannot be drawn, the usual sheet is shown`(heights: [SheetHeight]) async {
        await window.start()
        navigator.present(2, form: .heights(heights))
        await window.rest()
        #expect(window.top.sheetPresentationController?.detents.count == 1)
    }

    @Test(.rule("V11")) func `the More list of the tab bar stays while the user reads it`() async throws {
        await window.start { $0.setTabs(Array(1...7)) }
        let tabs = try #require(window.tabs(of: window.chain[0]))
        tabs.selectedViewController = tabs.moreNavigationController
        await window.turns()
        #expect(tabs.selectedViewController === tabs.moreNavigationController)
        tabs.selectedIndex = 5
        await window.rest()
        #expect(navigator.top?.screen == 6)
    }
}
