import BackplaneConcurrency
import BackplaneTesting
import Observation

@testable import Backplane
@testable import BackplaneNavigation

/// A navigator of texts on the main actor, with a list of the places that ended.
@MainActor final class TestWindow {
    let clock = ManualClock()
    let navigator: Navigator<String>
    /// The last place of each screen.
    private var places: [String: Place<String>] = [:]
    /// The screens of the followed places, in the order in which their lifetimes ended.
    private(set) var ended: [String] = []

    /// Creates a window, whose base has appeared unless `appeared` is `false`, and plays orders.
    init(_ orders: String = "", hasTransitions: Bool = true, appeared: Bool = true) {
        navigator = Navigator(hasTransitions: hasTransitions, clock: clock)
        if appeared { navigator.base.appeared() }
        play(orders)
    }

    /// Gives orders such as `root home, push course, dismiss course`.
    ///
    /// Without a screen, `appear` and `end` are reports about the highest layer.
    func play(_ orders: String) {
        for order in orders.split(separator: ", ") {
            let words = order.split(separator: " ").map(String.init)
            let screen = words.count > 1 ? words[1] : ""
            switch words[0] {
            case "root": root(screen)
            case "tabs": for place in navigator.setTabs(Array(words.dropFirst())) { remember(place) }
            case "push": push(screen)
            case "present": present(screen)
            case "cover": present(screen, as: .cover)
            case "pin": present(screen, pinned: true)
            case "dismiss": self[screen].dismiss()
            case "back": navigator.back(to: self[screen])
            case "find": navigator.back { $0 == screen }
            case "select": navigator.select(self[screen])
            case "home": navigator.returnHome()
            case "uncover": navigator.uncover()
            case "close": navigator.close()
            case "appear": navigator.topLayer.appeared()
            case "end": navigator.topLayer.close()
            default: fatalError("There is no order \(order).")
            }
        }
    }

    /// The last place of a screen that was shown.
    subscript(screen: String) -> Place<String> {
        guard let place = places[screen] else { fatalError("The screen \(screen) was never shown.") }
        return place
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
    private func remember(_ place: Place<String>, then action: @escaping () -> Void = {}) -> Place<String> {
        places[place.screen] = place
        return follow(place, then: action)
    }

    @discardableResult
    func root(_ screen: String) -> Place<String> { remember(navigator.setRoot(screen)) }

    @discardableResult
    func push(_ screen: String, then action: @escaping () -> Void = {}) -> Place<String> {
        remember(navigator.push(screen), then: action)
    }

    @discardableResult
    func present(
        _ screen: String,
        as style: PresentationStyle = .sheet,
        pinned: Bool = false
    ) -> Place<String> {
        remember(navigator.present(screen, as: style, pinned: pinned))
    }

    /// The screens of the layers, the base first: `a b / c` is a sheet above two screens.
    var layers: String { Self.text(navigator.layers) }

    /// The screens of the layers that the host shows, in the same form.
    var shown: String { Self.text(Array(sequence(first: navigator.base, next: \.above))) }

    private static func text(_ layers: [Layer<String>]) -> String {
        layers.map { $0.stack.places.map(\.screen).joined(separator: " ") }.joined(separator: " / ")
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
