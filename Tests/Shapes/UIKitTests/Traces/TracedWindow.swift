import Backplane
import BackplaneNavigation
import BackplaneTesting
import BackplaneUIKit
import Foundation
import ShapesTestTools
import UIKit

/// A window with transitions, whose contents can be compared with what its navigator says.
@MainActor final class TracedWindow {
    let clock = ManualClock()
    let navigator: Navigator<Int>
    let transitions: ShapeTransitions
    let window = UIWindow()
    private let controller: NavigatorController<Int>
    private let lives: Lives

    /// Creates a window, in which some screens have these controllers.
    init(
        hasTransitions: Bool = true,
        controllers: [Int: UIViewController] = [:],
        duration: @escaping () -> Duration
    ) {
        navigator = .onMain(hasTransitions: hasTransitions, clock: clock)
        transitions = ShapeTransitions(duration: duration)
        let lives = Lives()
        controller = NavigatorController(navigator) { screen in
            let content = controllers[screen] ?? UIViewController()
            if content.title == nil { content.title = "\(screen)" }
            lives.follow(content, screen)
            return content
        }
        self.lives = lives
        window.transitions = transitions
        window.rootViewController = controller
    }

    /// The screens whose controllers were shown and have left.
    var endedLives: [Int: Int] { lives.ended }
    var madeScreens: Set<Int> { lives.made }

    // MARK: The screen

    /// The controller of the base, and those presented above it.
    var chain: [UIViewController] {
        Array(sequence(first: controller as UIViewController, next: \.presentedViewController))
    }

    var top: UIViewController { chain[chain.count - 1] }

    func tabs(of layer: UIViewController) -> UITabBarController? { layer.children.first as? UITabBarController }

    /// The stack that the user sees in a layer.
    func stack(of layer: UIViewController) -> UINavigationController? {
        (tabs(of: layer)?.selectedViewController ?? layer.children.first) as? UINavigationController
    }

    /// Whether a transition runs in a controller or the chain.
    var isMoving: Bool { transitions.isRunning }

    /// A text of all that is on the screen.
    var shown: String {
        chain.map { layer in
            if let alert = layer as? UIAlertController { return "alert \(alert.title ?? "")" }
            guard layer is NavigatorController<Int> else { return "foreign" }
            let style = layer === controller ? "" : layer.modalPresentationStyle == .fullScreen ? "cover " : "sheet "
            guard let tabs = tabs(of: layer) else { return style + "\(screens(layer.children.first)) of 0" }
            let all = (tabs.viewControllers ?? []).map(screens).map { "\($0)" }.joined(separator: " ")
            return style + "\(all) of \(tabs.selectedIndex)"
        }
        .joined(separator: ", ")
    }

    func screens(_ stack: UIViewController?) -> [Int] {
        (stack as? UINavigationController)?.viewControllers.compactMap { $0.title.flatMap(Int.init) } ?? []
    }

    /// The text that the navigator asks for.
    var asked: String {
        let layers = navigator.layers.map { layer in
            let style = layer.style.map { $0 == .cover ? "cover " : "sheet " } ?? ""
            let all = layer.stacks.map { "\($0.places.map(\.screen))" }.joined(separator: " ")
            let selected = layer.stacks.firstIndex { $0 === layer.stack } ?? -1
            return style + "\(all) of \(selected)"
        }
        let dialog = navigator.topLayer.dialog.map { ["alert \($0.title)"] } ?? []
        return (layers + dialog).joined(separator: ", ")
    }
}

/// The lives of the controllers that were made.
@MainActor private final class Lives {
    private let motherboard = Motherboard.onMain()
    private(set) var made: Set<Int> = []
    private(set) var ended: [Int: Int] = [:]

    init() {
        motherboard.register("life" as BoardID<LifeContract>, reuse: .perActivation) { [weak self] slot in
            LifeBoard(slot: slot) { self?.ended[$0, default: 0] += 1 }
        }
    }

    func follow(_ controller: UIViewController, _ screen: Int) {
        made.insert(screen)
        motherboard.activate("life" as BoardID<LifeContract>, with: .init(owner: .life(controller), screen: screen))
    }
}

/// A board that is paired with a controller or a place, and counts its ends.
@MainActor final class LifeBoard: Board {
    let slot: Slot<LifeContract>
    private let onEnd: (Int) -> Void
    private var screen = 0

    init(slot: Slot<LifeContract>, onEnd: @escaping (Int) -> Void) {
        self.slot = slot
        self.onEnd = onEnd
    }

    func activate(with input: LifeContract.Input) {
        screen = input.screen
        switch input.owner {
        case .life(let controller): pair(with: controller.life)
        case .place(let place): pair(with: place)
        }
    }

    func didEnd(_ completion: Completion) { onEnd(screen) }
}

enum LifeContract: BoardContract {
    struct Input {
        enum Owner {
            case life(UIViewController)
            case place(Place<Int>)
        }

        let owner: Owner
        let screen: Int
    }
}
