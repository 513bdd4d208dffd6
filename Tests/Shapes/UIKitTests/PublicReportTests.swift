import BackplaneNavigation
import BackplaneTesting
import ShapesTestTools
import Testing
import UIKit

/// Sequences in which others have lost a screen, a report or an answer, in a window whose
/// transitions take a second.
@Suite(.timeLimit(.minutes(5))) @MainActor struct UIKitPublicReportTests {
    private let window = TracedWindow { .seconds(1) }
    private var navigator: Navigator<Int> { window.navigator }

    private var stack: UINavigationController? { window.stack(of: window.chain[0]) }

    @Test(.rule("V22"), .bug("https://github.com/pointfreeco/swift-composable-architecture/issues/1991"))
    func `a question in the same turn as a dismissal waits for it, and gets its answer`() async throws {
        await window.start()
        let sheet = navigator.present(2)
        await window.rest()
        let navigator = navigator
        let asking = Task {
            sheet.dismiss()
            return try await navigator.ask(Dialog("Keep?", choices: [.init("Keep", true)]))
        }
        await window.turns()
        #expect(window.chain.count == 2 && window.transitions.isRunning)
        await window.rest()
        (window.top as? UIAlertController)?.tap("Keep")
        await window.rest()
        #expect(try await asking.value)
    }

    @Test(.rule("V23"), .bug("https://github.com/radiosilence/koan/issues/261"))
    func `if the root and the path change in one update, both are shown`() async {
        await window.start()
        navigator.setRoot(2)
        let pushed = navigator.push(3)
        await window.rest()
        // A pop at once counts, although the model has waited for the root.
        stack?.popViewController(animated: true)
        await window.rest()
        #expect(pushed.isDismissedByUser)
    }

    @Test(.bug("https://github.com/heinzl/swift-composable-navigation/issues/17"), arguments: [true, false])
    func `a push during a swipe back is shown after the swipe`(isCancelled: Bool) async {
        await window.start { navigator in
            navigator.setRoot(1)
            navigator.push(2)
        }
        let swiped = navigator.places[1]
        stack?.swipeBack(isCancelled: isCancelled)
        await window.turns()
        let pushed = navigator.push(3)
        await window.turns()
        #expect(window.screens(stack) == [1] && !swiped.isDismissedByUser)
        await window.rest()
        #expect(swiped.isDismissedByUser == !isCancelled)
        // A place above one that the user leaves goes with it.
        #expect(pushed.isDismissedByUser == !isCancelled)
    }

    @Test(.rule("V29"), .bug("https://github.com/Tencent/MLeaksFinder/issues/132"), arguments: [true, false])
    func `if the user pulls a sheet and lets it go, it stays with its place and its life`(isCancelled: Bool) async {
        await window.start()
        let sheet = navigator.present(2)
        await window.rest()
        window.chain[0].pullDown(isCancelled: isCancelled)
        await window.turns()
        #expect(!sheet.isDismissedByUser)
        await window.rest()
        #expect(sheet.isDismissedByUser == !isCancelled)
        #expect(window.endedLives == (isCancelled ? [:] : [2: 1]))
    }

    @Test(.rule("V11"), .bug("https://github.com/swiftlang/swift/issues/77088"))
    func `if the user leaves a tab during a pop, the tab keeps its path`() async {
        await window.start { navigator in
            navigator.setTabs([1, 2])
            navigator.push(3)
        }
        let roots = navigator.base.stacks.compactMap(\.root)
        navigator.back(to: roots[0])
        await window.turns()
        window.tabs(of: window.chain[0])?.selectedIndex = 1
        await window.rest()
        #expect(navigator.top === roots[1] && navigator.places.count == 2)
    }

    @Test(.rule("V6"), .bug("https://github.com/pointfreeco/swift-composable-architecture/issues/2413"))
    func `a cover replaces a sheet after the sheet has disappeared`() async {
        await window.start()
        let sheet = navigator.present(2)
        await window.rest()
        sheet.dismiss()
        navigator.present(3, as: .cover)
        await window.rest()
        #expect(window.chain.count == 2 && window.top.modalPresentationStyle == .fullScreen)
    }

    @Test(
        .rule("V28"),
        .bug("https://github.com/matteopuc/swiftui-navigation-stack/issues/23"),
        arguments: [true, false]
    )
    func `a sheet that is presented after a pop is shown`(isRefused: Bool) async {
        await window.start { navigator in
            navigator.setRoot(1)
            navigator.push(2)
        }
        window.transitions.refusesDuringPushes = isRefused
        navigator.returnHome()
        navigator.present(3)
        await window.rest()
        #expect(window.chain.count == 2)
    }

    @Test(.rule("V28"), .bug("https://github.com/johnpatrickmorgan/FlowStacks/issues/73"))
    func `a sheet waits for a cover that other code presents at the start`() async {
        await window.start()
        let foreign = UIViewController()
        foreign.modalPresentationStyle = .fullScreen
        window.chain[0].present(foreign, animated: true)
        let places = [navigator.present(2), navigator.push(3)]
        await window.turns()
        window.transitions.advanceToNextEnd()
        await window.turns()
        #expect(window.top === foreign)
        foreign.dismiss(animated: true)
        await window.rest()
        #expect(navigator.places.suffix(2) == places)
    }

    @Test(.rule("V28")) func `a dismissal waits until a transition above has ended`() async {
        await window.start()
        navigator.present(2)
        navigator.present(3, as: .cover)
        await window.rest()
        let alert = UIAlertController(title: "foreign", message: nil, preferredStyle: .alert)
        window.top.present(alert, animated: true)
        navigator.uncover()
        await window.rest()
        #expect(window.chain.count == 1)
    }
}
