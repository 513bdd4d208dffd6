import BackplaneConcurrency
import BackplaneTesting
import TestSupport

@testable import Backplane
@testable import BackplaneNavigation

/// A navigator that plays orders and records the ends of its places.
final class NavigatorPlayer {
    let navigator: Navigator<Int>
    private let owner: any Actor
    private(set) var places: [Int: Place<Int>] = [:]
    private(set) var ended: [Int] = []
    private var late: Set<Int> = []
    private(set) var farewells: [Int: NavigatorOrder] = [:]
    /// The screens that were there when their board had completed.
    private var found: [Int] = []
    private var lastScreen = 0
    private let theme: Theme
    private var random: SeededGenerator

    init(on owner: any Actor, clock: any Clock<Duration>, theme: Theme, seed: UInt64) {
        self.owner = owner
        self.theme = theme
        navigator = Navigator(owner: owner, clock: clock)
        random = SeededGenerator(seed: seed)
    }

    var view: NavigatorView {
        let layers = navigator.layers.map { layer in
            NavigatorView.Layer(
                stacks: layer.stacks.map { $0.places.map(\.screen) },
                selected: layer.stacks.firstIndex { $0 === layer.stack } ?? -1
            )
        }
        return NavigatorView(layers: layers, ended: ended, late: late)
    }

    /// The violation of a rule by the places themselves; `nil` if there is none.
    var violation: String? {
        let members = Set(navigator.places.map(\.screen))
        let gone = Set(ended).union(late)
        if ended.count + late.count != gone.count { return "a place ended twice: \(ended), \(late)" }
        if !members.isDisjoint(with: gone) { return "a place that is there has ended: \(members.intersection(gone))" }
        if members.count + gone.count != places.count { return "a place that is not there has not ended" }
        if !found.isEmpty { return "completed boards found their places: \(found)" }
        for (screen, place) in places where (place.dismissal == nil) != members.contains(screen) {
            return "screen \(screen) has the wrong dismissal"
        }
        return nil
    }

    // MARK: Playing

    func play(_ order: NavigatorOrder) {
        switch order {
        case .setTabs(let screens): follow(navigator.setTabs(screens))
        case .push(let screen): follow([navigator.push(screen)])
        case .present(let screen, let isCover, let isPinned):
            follow([navigator.present(screen, as: isCover ? .cover : .sheet, pinned: isPinned)])
        case .dismiss(let screen): places[screen]?.dismiss()
        case .complete(let screen):
            places[screen]?.leave()
            if navigator.places.contains(where: { $0.screen == screen }) { found.append(screen) }
        case .back(let screen): places[screen].map(navigator.back(to:))
        case .backToMultiple(let number): navigator.back { $0.isMultiple(of: number) }
        case .returnHome: navigator.returnHome()
        case .select(let screen): places[screen].map(navigator.select)
        case .uncover: navigator.uncover()
        case .close: navigator.close()
        case .userPopped, .userClosed, .userSelected: break
        }
    }

    private func follow(_ places: [Place<Int>]) {
        for place in places {
            self.places[place.screen] = place
            if place.dismissal != nil {
                late.insert(place.screen)
            } else {
                let call = OwnerCall(on: owner) { [weak self] in self?.placeEnded(place.screen) }
                _ = place.lifetime.atEnd(call)
            }
        }
    }

    private func placeEnded(_ screen: Int) {
        ended.append(screen)
        if let farewell = farewells[screen] { play(farewell) }
    }

    // MARK: Choosing

    /// Returns a random order.
    func nextOrder() -> NavigatorOrder {
        // The layers' theme presents and dismisses.
        switch theme == .layers ? 38 + random.below(32) : random.below(100) {
        case 0..<3: .setTabs(newScreens(1 + random.below(3)))
        case 3..<9: .setTabs(newScreens(1))
        case 9..<38: .push(newScreen())
        case 38..<56: .present(newScreen(), isCover: random.chance(40), isPinned: random.chance(20))
        case 56..<70: .dismiss(anyScreen())
        case 70..<77: .back(anyScreen())
        case 77..<82: .backToMultiple(of: 2 + random.below(3))
        case 82..<87: .returnHome
        case 87..<92: .select(anyScreen())
        case 92..<99: .uncover
        default: .close
        }
    }

    private func anyScreen() -> Int { 1 + random.below(lastScreen + 1) }

    private func newScreens(_ count: Int) -> [Int] { (0..<count).map { _ in newScreen() } }

    private func newScreen() -> Int {
        lastScreen += 1
        let screen = lastScreen
        if random.chance(12) {
            switch random.below(7) {
            case 0: farewells[screen] = .push(newScreen())
            case 1: farewells[screen] = .present(newScreen(), isCover: false, isPinned: false)
            case 2: farewells[screen] = .setTabs(newScreens(1))
            // The player does not have the places of later screens yet.
            case 3: farewells[screen] = .dismiss(1 + random.below(screen))
            case 4, 5: farewells[screen] = .complete(1 + random.below(screen))
            default: farewells[screen] = .returnHome
            }
        }
        return screen
    }
}
