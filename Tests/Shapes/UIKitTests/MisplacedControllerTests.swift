import BackplaneNavigation
import ShapesTestTools
import Testing
import UIKit

/// Tests of controllers that a screen is given although they are, or were, somewhere else.
@Suite(.timeLimit(.minutes(2))) @MainActor struct MisplacedControllerTests {
    private let shared: UIViewController
    private let window: TracedWindow
    private var navigator: Navigator<Int> { window.navigator }

    init() {
        let shared = UIViewController()
        self.shared = shared
        window = TracedWindow(controllers: [2: shared, 3: shared]) { .seconds(1) }
    }

    enum Elsewhere: CaseIterable {
        case stack, tab, layerBelow, container, presentation
    }

    @Test(.rule("V36"), arguments: Elsewhere.allCases)
    func `a place whose controller is somewhere else leaves at once`(elsewhere: Elsewhere) async {
        await window.start()
        let (container, other) = (UIViewController(), UIWindow())
        switch elsewhere {
        case .stack, .layerBelow: navigator.push(2)
        case .tab: navigator.select(navigator.setTabs([2, 4])[1])
        case .container: container.addChild(shared)
        case .presentation:
            other.rootViewController = container
            other.makeKeyAndVisible()
            container.present(shared, animated: false)
        }
        await window.rest()
        let before = navigator.places
        let place = elsewhere == .layerBelow ? navigator.present(3) : navigator.push(3)
        await window.rest()
        #expect(navigator.places == before && !place.isDismissedByUser)
        navigator.push(5)
        await window.rest()
        #expect(navigator.top?.screen == 5)
    }

    @Test(.rule("V36"), arguments: [[2, 3], [2, 3, 4], [3, 2, 4]])
    func `a tab whose controller is in another tab leaves at once`(tabs: [Int]) async {
        await window.start { $0.setTabs(tabs) }
        #expect(navigator.places.map(\.screen) == [tabs[0]] + tabs.dropFirst(2))
    }

    @Test(.rule("V36"), arguments: [true, false])
    func `the controller of a place that has left can be used again`(isInOneTurn: Bool) async {
        await window.start()
        let first = navigator.push(2)
        await window.rest()
        first.dismiss()
        if !isInOneTurn { await window.rest() }
        shared.title = "3"
        let second = navigator.push(3)
        await window.rest()
        #expect(window.screens(window.stack(of: window.top)) == [1, 3])
        window.stack(of: window.top)?.popViewController(animated: true)
        await window.rest()
        #expect(second.isDismissedByUser)
        navigator.present(3)
        await window.rest()
        #expect(window.stack(of: window.top)?.topViewController === shared)
    }
}
