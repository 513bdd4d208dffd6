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
        let connection = titles.connect(screen) { screen, title in screen.titles.append(title) }
        titles.send(title)
        titles.send("\(slot.id) \(slot.isLive)")
        connection.disconnect()
        titles.send("not heard")
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

    @Test func `the values of a bus are an async sequence`() async {
        var heard: [Int] = []
        var values: Bus<Int>.Values?
        motherboard.registerTask(.upload) { size, slot in
            let bus = Bus<Int>(for: slot)
            values = bus.values
            bus.send(size)
            bus.send(size + 1)
        }
        motherboard.activate(.upload, with: 3)
        while values == nil { await Task.yield() }
        guard let values else { return }
        for await value in values { heard.append(value) }
        #expect(heard == [3, 4])
    }
}
