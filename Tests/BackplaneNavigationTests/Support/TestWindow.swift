import BackplaneConcurrency
import BackplaneNavigation
import BackplaneTesting
import Observation

@testable import Backplane

/// A navigator of texts on the main actor, with a list of the places that ended.
@MainActor final class TestWindow {
    let clock = ManualClock()
    let navigator: Navigator<String>
    /// The screens of the followed places, in the order in which their lifetimes ended.
    private(set) var ended: [String] = []

    /// Creates a window, whose base has appeared unless `appeared` is `false`.
    init(pace: PresentationPace = .stepwise, appeared: Bool = true) {
        navigator = Navigator(pace: pace, clock: clock)
        if appeared { navigator.base.appeared() }
    }

    /// Records the end of a place, and then calls `action`.
    @discardableResult
    func follow(_ place: Place<String>, then action: @escaping () -> Void = {}) -> Place<String> {
        let screen = place.screen
        let call = OwnerCall(on: MainActor.shared) { [weak self] in
            self?.ended.append(screen)
            action()
        }
        _ = place.lifetime.atEnd(call)
        return place
    }

    @discardableResult
    func root(_ screen: String) -> Place<String> { follow(navigator.setRoot(screen)) }

    @discardableResult
    func push(_ screen: String) -> Place<String> { follow(navigator.push(screen)) }

    @discardableResult
    func present(
        _ screen: String,
        as style: PresentationStyle = .sheet,
        pinned: Bool = false
    ) -> Place<String> {
        follow(navigator.present(screen, as: style, pinned: pinned))
    }

    /// The screens of the layers, the base first: `a b / c` is a sheet above two screens.
    var layers: String { Self.text(navigator.layers) }

    /// The screens of the layers that the host shows, in the same form.
    var shown: String {
        var layers = [navigator.base]
        while let above = layers.last?.sheet ?? layers.last?.cover { layers.append(above) }
        return Self.text(layers)
    }

    private static func text(_ layers: [Layer<String>]) -> String {
        layers.map { $0.stack.places.map(\.screen).joined(separator: " ") }.joined(separator: " / ")
    }

    /// Lets the longest time of a step pass, and returns when the shown layers are `shown`.
    func passStep(until shown: String) async {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(3))
        await waitUntil { self.shown == shown }
    }
}

/// Returns whether reading a value is notified of a change while `body` runs.
@MainActor func publishes<Value>(_ value: () -> Value, during body: () -> Void) -> Bool {
    let isPublished = Locked(false)
    withObservationTracking {
        _ = value()
    } onChange: {
        isPublished.withLock { $0 = true }
    }
    body()
    return isPublished.withLock { $0 }
}
