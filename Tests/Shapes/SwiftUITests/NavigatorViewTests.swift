import Backplane
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import ShapesTestTools
import SwiftUI
import Testing

@MainActor private final class Window {
    let navigator = Navigator<String>.onMain(clock: ManualClock())
    let host: ShapeHost

    init() {
        let navigator = navigator
        host = ShapeHost {
            NavigatorView(navigator) { screen in
                Text(screen)
            } tab: { screen in
                Text("tab \(screen)")
            }
        }
    }

    func order<Result>(_ order: (Navigator<String>) -> Result) -> Result {
        defer { host.update() }
        return order(navigator)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct NavigatorViewTests {
    private let window = Window()
    private var host: ShapeHost { window.host }
    private var navigator: Navigator<String> { window.navigator }

    @Test func `a window without screens is empty`() {
        #expect(host.texts.isEmpty)
        #expect(host.problems.isEmpty)
    }

    @Test func `if the path becomes shorter, exactly the places that left end`() {
        let places = window.order { [$0.setRoot("home")] + ["a", "b", "c"].map($0.push) }
        #expect(host.texts == ["c"])
        host.goBack(to: 1)
        #expect(host.texts == ["a"])
        #expect(places.map(\.isDismissedByUser) == [false, false, true, true])
        _ = window.order { $0.push("d") }
        #expect(host.texts == ["d"])
        #expect(host.problems.isEmpty)
    }

    @Test func `an order shows its screens at the next update`() {
        _ = window.order { $0.setRoot("home") }
        #expect(host.texts == ["home"])
        let place = window.order { $0.push("a") }
        #expect(host.texts == ["a"])
        window.order { _ in place.dismiss() }
        #expect(host.texts == ["home"])
        _ = window.order { $0.setRoot("other") }
        #expect(host.texts == ["other"])
        #expect(host.problems.isEmpty)
    }

    @Test(arguments: [PresentationStyle.sheet, .cover])
    func `if the user closes a presentation, this is reported`(style: PresentationStyle) {
        _ = window.order { $0.setRoot("home") }
        let place = window.order { $0.present("composer", as: style) }
        #expect(host.presentations == [style == .sheet ? "sheet" : "cover"])
        #expect(host.texts == ["home", "composer"])
        host.closePresentation()
        #expect(place.isDismissedByUser)
        #expect(host.texts == ["home"])
        #expect(navigator.layers.count == 1)
        #expect(host.problems.isEmpty)
    }

    @Test(.rule("V31")) func `a sheet has the heights of its form`() {
        _ = window.order { $0.setRoot("home") }
        _ = window.order { $0.present("a", form: .heights([.points(200), .fraction(0.3), .medium, .large])) }
        #expect(host.presentations == ["sheet"])
        #expect(host.detents == [.height(200), .fraction(0.3), .medium, .large])
        _ = window.order { $0.uncover() }
        _ = window.order { $0.present("b") }
        #expect(host.detents == [.large])
        #expect(host.problems.isEmpty)
    }

    @Test(.rule("V31")) func `a popover points to its source, and its end is a report`() {
        _ = window.order { $0.setRoot("home") }
        let place = window.order { $0.present("colors", form: .popover(x: 0.9, y: 0.1)) }
        #expect(host.presentations == ["popover"])
        #expect(host.anchor == UnitPoint(x: 0.9, y: 0.1))
        #expect(host.texts == ["home", "colors"])
        host.closePresentation()
        #expect(place.isDismissedByUser)
        // The next one waits for the report that the popover has gone.
        _ = window.order { $0.present("sheet") }
        #expect(host.presentations == ["sheet"])
        let second = window.order { navigator in
            navigator.uncover()
            return navigator.present("fonts", form: .popover(x: 0, y: 0))
        }
        #expect(host.presentations == ["popover"])
        window.order { navigator in
            second.dismiss()
            navigator.present("cover", as: .cover)
        }
        #expect(host.presentations == ["cover"])
        #expect(host.problems.isEmpty)
    }

    @Test func `several presentations in one turn are shown one after the other`() {
        window.order { navigator in
            navigator.setRoot("home")
            for screen in ["a", "b", "c"] { navigator.present(screen) }
        }
        #expect(host.texts == ["home", "a", "b", "c"])
        window.order { navigator in
            navigator.uncover()
            navigator.present("d", as: .cover)
        }
        #expect(host.presentations == ["cover"])
        #expect(host.texts == ["home", "d"])
        #expect(host.problems.isEmpty)
    }

    @Test func `if a sheet replaces another one, the item of the first sheet does not change`() {
        _ = window.order { $0.setRoot("home") }
        let first = window.order { $0.present("a") }
        let second = window.order { navigator in
            first.dismiss()
            return navigator.present("b")
        }
        #expect(host.texts == ["home", "b"])
        #expect(!first.isDismissedByUser)
        #expect(navigator.top === second)
        #expect(host.problems.isEmpty)
    }

    @Test func `a tab that the user selects is reported`() {
        let roots = window.order { $0.setTabs(["one", "two"]) }
        #expect(host.texts.filter { !$0.hasPrefix("tab") } == ["one"])
        #expect(host.texts.filter { $0.hasPrefix("tab") } == ["tab one", "tab two"])
        let pushed = window.order { $0.push("a") }
        host.selectTab(1)
        #expect(navigator.top === roots[1])
        #expect(navigator.places.contains(pushed))
        #expect(host.texts.contains("two"))
        #expect(!host.texts.contains("a"))
        host.selectTab(0)
        #expect(host.texts.contains("a"))
        host.selectTab(0)
        #expect(pushed.isDismissedByUser)
        #expect(host.problems.isEmpty)
    }

    @Test(.rule("V19")) func `a tap on a tab that an order has just selected does not pop a screen`() {
        let roots = window.order { $0.setTabs(["one", "two"]) }
        let pushed = window.order { navigator in
            navigator.select(roots[1])
            defer { navigator.select(roots[0]) }
            return navigator.push("a")
        }
        // Not drawn before the tap.
        navigator.select(roots[1])
        host.selectTab(1)
        #expect(!pushed.isDismissedByUser && navigator.top === pushed)
        host.selectTab(1)
        #expect(pushed.isDismissedByUser)
    }

    @Test func `closing the window ends all places`() {
        _ = window.order { [$0.setRoot("home"), $0.push("a"), $0.present("b")] }
        window.order { $0.close() }
        #expect(navigator.places.isEmpty)
        #expect(host.texts.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct NavigatorDialogTests {
    private func ask(in window: Window, style: DialogStyle = .alert) async -> Task<Bool?, Never> {
        let navigator = window.navigator
        let question = Dialog<Bool>(
            "Keep?",
            message: "Later",
            choices: [.init("Keep", true), .init("Discard", false, role: .destructive)],
            style: style
        )
        let asking = Task { try? await navigator.ask(question) }
        await yield { navigator.topLayer.dialog != nil }
        window.host.update()
        return asking
    }

    @Test(arguments: [true, false])
    func `the button of an alert is the answer`(hidesFirst: Bool) async {
        let window = Window()
        _ = window.order { $0.setRoot("home") }
        let asking = await ask(in: window)
        #expect(window.host.presentations == ["alert"])
        #expect(window.host.texts == ["home", "Keep?", "Later", "Keep", "Discard", "Cancel"])
        #expect(window.host.role(of: "Discard") == .destructive)
        #expect(window.host.role(of: "Cancel") == .cancel)
        #expect(window.host.tap("Discard", hidesFirst: hidesFirst))
        #expect(await asking.value == false)
        window.host.update()
        #expect(window.host.presentations.isEmpty)
    }

    @Test(.rule("V32"), arguments: [true, false])
    func `a dialog of actions is a confirmation dialog`(isChosen: Bool) async {
        let window = Window()
        _ = window.order { $0.setRoot("home") }
        let asking = await ask(in: window, style: .actionSheet)
        #expect(window.host.presentations == ["confirmationDialog"])
        #expect(window.host.texts == ["home", "Keep?", "Later", "Keep", "Discard", "Cancel"])
        if isChosen { window.host.tap("Keep", hidesFirst: true) } else { window.host.hideDialog() }
        #expect(await asking.value == (isChosen ? true : nil))
        window.host.update()
        #expect(window.host.presentations.isEmpty)
    }

    @Test(.rule("V32"), arguments: [true, false])
    func `a dialog of actions without a way out has the one of SwiftUI`(hidesFirst: Bool) async {
        let window = Window()
        _ = window.order { $0.setRoot("home") }
        let navigator = window.navigator
        let question = Dialog<Bool>("Keep?", choices: [.init("Keep", true)], cancel: nil, style: .actionSheet)
        let asking = Task { try await navigator.ask(question) }
        await yield { navigator.topLayer.dialog != nil }
        window.host.update()
        #expect(navigator.topLayer.dialog?.buttons.map(\.label) == ["Keep"])
        #expect(window.host.tap("Cancel", hidesFirst: hidesFirst))
        await #expect(throws: CancellationError.self) { try await asking.value }
        let next = await ask(in: window)
        #expect(window.host.tap("Keep"))
        #expect(await next.value == true)
    }

    @Test func `an alert that the user hides or cancels has no answer`() async {
        let window = Window()
        _ = window.order { $0.setRoot("home") }
        let hidden = await ask(in: window)
        window.host.hideDialog()
        #expect(await hidden.value == nil)
        let cancelled = await ask(in: window)
        window.host.tap("Cancel")
        #expect(await cancelled.value == nil)
    }
}
