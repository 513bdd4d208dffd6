// A clock for the transitions of a window, for tests; not a part of UIKit.

import Foundation

/// The transitions of a window, which end when a test lets time pass.
///
/// Without it, a window forgives: each change ends at once. With it, a window refuses what UIKit
/// refuses while a transition runs, and controllers appear and disappear at its end.
@MainActor public final class ShapeTransitions {
    private let duration: () -> Duration
    private var now = Duration.zero
    private var running: [(end: Duration, transition: Transition)] = []

    /// Whether presentations are refused while a stack below moves, of which UIKit may do either.
    public var refusesDuringPushes = false
    /// The mistakes for which UIKit ends the process or loses a change.
    public internal(set) var problems: [String] = []

    /// Creates transitions of these lengths.
    public init(duration: @escaping () -> Duration) {
        self.duration = duration
    }

    /// Whether a transition runs.
    public var isRunning: Bool { !running.isEmpty }

    func run(_ transition: Transition) { running.append((now + duration(), transition)) }

    /// Lets time pass.
    public func advance(by duration: Duration) {
        let end = now + duration
        while let next = running.indices.min(by: { running[$0].end < running[$1].end }), running[next].end <= end {
            now = running[next].end
            running.remove(at: next).transition.finish()
        }
        now = end
    }

    /// Lets time pass until the next transition ends.
    public func advanceToNextEnd() {
        if let end = running.map(\.end).min() { advance(by: end - now) }
    }
}

/// A transition, with the controllers that take part in it.
final class Transition: NSObject, UIViewControllerTransitionCoordinator {
    let isInteractive: Bool
    private(set) var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    private let controllers: [UIViewController]
    private let end: () -> Void

    init(isInteractive: Bool = false, of controllers: [UIViewController] = [], end: @escaping () -> Void = {}) {
        self.isInteractive = isInteractive
        self.controllers = controllers
        self.end = end
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let completion { completions.append(completion) }
        return true
    }

    func finish() {
        for controller in controllers where controller.transition === self { controller.transition = nil }
        end()
        UIWindow.updateAll()
        for completion in completions { completion(self) }
    }
}

extension UIViewController {
    /// The window whose controllers this one belongs to.
    var host: UIWindow? {
        var root = self
        while let next = root.parent ?? root.presentingViewController { root = next }
        return UIWindow.window(of: root)
    }

    /// Plays a transition with other controllers; without a clock, it ends at once.
    func play(
        _ isAnimated: Bool,
        with others: [UIViewController],
        isInteractive: Bool = false,
        end: @escaping () -> Void
    ) {
        guard isAnimated, let transitions = host?.transitions else {
            end()
            return UIWindow.updateAll()
        }
        let controllers = [self] + others
        let transition = Transition(isInteractive: isInteractive, of: controllers, end: end)
        for controller in controllers { controller.transition = transition }
        transitions.run(transition)
        UIWindow.updateAll()
    }

    func note(_ problem: String) { host?.transitions?.problems.append(problem) }
}
