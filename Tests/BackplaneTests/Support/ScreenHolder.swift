import Backplane
import BackplaneConcurrency

/// An object with a lifetime.
final class Screen: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
}

/// An object that holds a screen until the screen is closed.
final class ScreenHolder: Sendable {
    private let shown = Locked<Screen?>(Screen())

    var screen: Screen? { shown.withLock { $0 } }

    /// The two ways in which a lifetime ends.
    enum Closing: CaseIterable {
        case saysSo
        case letsGo
    }

    func close(_ closing: Closing = .saysSo) {
        switch closing {
        case .saysSo: screen?.lifetime.end()
        case .letsGo: _ = shown.withLock { $0.take() }
        }
    }
}

/// An object that a board creates.
final class Component {
    private let whenGone: () -> Void
    /// A closure that is called when the component has finished.
    var onFinish: () -> Void = {}

    init(whenGone: @escaping () -> Void = {}) {
        self.whenGone = whenGone
    }

    deinit {
        whenGone()
    }
}
