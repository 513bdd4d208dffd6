import Backplane
import BackplaneConcurrency

/// Something with a lifetime.
final class Screen: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
}

/// Who holds a screen until it is closed.
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

/// What a board makes.
final class Component {
    private let whenGone: () -> Void
    /// Told by the component itself.
    var onFinish: () -> Void = {}

    init(whenGone: @escaping () -> Void = {}) {
        self.whenGone = whenGone
    }

    deinit {
        whenGone()
    }
}
