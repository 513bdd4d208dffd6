import Backplane
import Testing

private final class Screen: LifetimeOwner {
    let lifetime = Lifetime()
    var titles: [String] = []
}

private final class Cache {}

private final class TitleBoard: Board {
    let slot: Slot<Search>
    private let screen: Screen
    private let titles: Bus<String>
    private var inner: Activation<Login>?

    init(slot: Slot<Search>, screen: Screen) {
        self.slot = slot
        self.screen = screen
        titles = Bus(for: slot)
        keep(Cache(), for: screen)
        slot.keep(Cache(), for: screen)
        slot.inner.registerTask(.login) { _, _ in User.ID(rawValue: "ada") }
    }

    func activate(with title: String) {
        titles.connect(screen) { screen, title in screen.titles.append(title) }
        titles.send(title)
        titles.send("\(slot.id) \(slot.isLive)")
        inner = slot.inner.activate(.login)
        pair(with: screen)
        slot.pair(with: screen)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ComponentCallers {
    private let motherboard = Motherboard.onMain()
    private let screen = Screen()

    @Test func `a component receives bus values, and its end completes its board`() {
        motherboard.register(.search) { [screen] in TitleBoard(slot: $0, screen: screen) }
        let search = motherboard.activate(.search, with: "Engines")
        #expect(screen.titles == ["Engines", "search true"])
        screen.lifetime.end()
        #expect(search.state == .completed)
    }
}
