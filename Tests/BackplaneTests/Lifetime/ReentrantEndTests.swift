import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A component that owns a lifetime and calls back when it is released.
private final class Coordinator: LifetimeOwner {
    let lifetime = Lifetime()
    private let whenGone: () -> Void

    init(whenGone: @escaping () -> Void = {}) {
        self.whenGone = whenGone
    }

    deinit {
        whenGone()
        lifetime.end()
    }
}

/// Foreign code that calls back while it is released.
@Suite(.rule("B60"), .timeLimit(.minutes(5))) @MainActor struct ReentrantEndTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(arguments: ScreenHolder.Closing.allCases)
    func `a kept component may end its own lifetime on release, which ends its board`(closing: ScreenHolder.Closing) {
        let window = ScreenHolder()
        motherboard.probe(.first) { board, _ in
            let coordinator = Coordinator()
            if let screen = window.screen { board.keep(coordinator, for: screen) }
            board.pair(with: coordinator)
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("\(completion)") }
        let activation = motherboard.activate(.first, with: 0)
        window.close(closing)
        #expect(activation.state == .completed)
        #expect(journal.lines == ["cancelled"])
    }

    @Test func `a kept component may call any method of its completed board on release`() {
        let screen = Screen()
        motherboard.probe(.first) { [journal] board, _ in
            let slot = board.slot
            for number in 1...3 {
                let component = Coordinator {
                    journal.note("\(number) \(slot.isLive)")
                    slot.keep(Coordinator(), for: screen)
                    slot.pair(with: screen)
                    slot.complete()
                    slot.send(1)
                }
                board.keep(component, for: screen)
                board.pair(with: component)
            }
        }
        let activation = motherboard.activate(.first, with: 0)
        activation.complete()
        #expect(journal.lines == ["1 false", "2 false", "3 false"])
        #expect(screen.lifetime.callCount == 0)
    }

    @Test func `components released by one lifetime may keep other components for another lifetime`() {
        let window = ScreenHolder()
        let other = Screen()
        var slot: Slot<Numbers>?
        motherboard.probe(.first) { [journal] board, _ in
            slot = board.slot
            for number in 1...3 {
                let component = Component {
                    journal.note("\(number)")
                    slot?.keep(Component { journal.note("late \(number)") }, for: other)
                }
                if let screen = window.screen { board.keep(component, for: screen) }
            }
        }
        motherboard.activate(.first, with: 0)
        window.close()
        #expect(journal.lines == ["1", "2", "3"])
        #expect(slot?.liveBoard.extras?.bindings?.count == 3)
        motherboard.complete()
        #expect(journal.lines == ["1", "2", "3", "late 1", "late 2", "late 3"])
    }

    /// Registers the first board with a bus, which the closure receives at each activation.
    private func registerBus(onActivate: @escaping (Bus<Int>, Slot<Numbers>, Int) -> Void) {
        motherboard.register(.first) { slot in
            let bus = Bus<Int>(for: slot)
            return ProbeBoard(slot: slot) { _, input in
                onActivate(bus, slot, input)
            } onCommand: { _, command in
                bus.send(command)
            }
        }
    }

    @Test func `an object captured by a bus handler may connect and send on release`() {
        let (target, journal) = (Component(), journal)
        var listener: Component? = Component()
        registerBus { bus, _, _ in
            let held = Component {
                journal.note("gone")
                bus.connect(target) { _, value in journal.note("later \(value)") }
                bus.send(7)
            }
            guard let listener else { return }
            bus.connect(listener) { _, value in
                withExtendedLifetime(held) { journal.note("value \(value)") }
            }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        listener = nil
        motherboard.send(2, to: .first)
        #expect(journal.lines == ["value 1", "gone", "later 7"])
    }

    @Test func `an object captured by a bus handler may connect a target when it is released during a send`() {
        var targets: [Component] = []
        let (other, journal) = (Component(), journal)
        registerBus { bus, _, _ in
            let held = Component { bus.connect(other) { _, value in journal.note("other \(value)") } }
            targets = [Component(), Component()]
            bus.connect(targets[0]) { _, value in
                journal.note("first \(value)")
                targets = []
            }
            bus.connect(targets[1]) { _, _ in withExtendedLifetime(held) { journal.note("never") } }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        motherboard.send(2, to: .first)
        #expect(journal.lines == ["first 1", "other 2"])
    }

    @Test func `an object released with a replaced connection may connect again`() {
        let (target, journal) = (Component(), journal)
        registerBus { bus, _, input in
            let held = Component { bus.connect(target) { _, value in journal.note("again \(value)") } }
            bus.connect(target) { _, value in withExtendedLifetime(held) { journal.note("\(input): \(value)") } }
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 1)
        motherboard.send(5, to: .first)
        #expect(journal.lines == ["again 5", "1: 5"])
        motherboard.complete()
    }

    @Test func `a board may complete while its bus replaces the connections of an earlier activation`() {
        let (target, journal) = (Component(), journal)
        registerBus { bus, slot, input in
            let held = Component { slot.complete() }
            bus.connect(target) { _, _ in withExtendedLifetime(held) { journal.note("\(input)") } }
        }
        motherboard.activate(.first, with: 0)
        #expect(motherboard.activate(.first, with: 1).state == .completed)
        #expect(journal.lines.isEmpty)
    }

    @Test func `cancelling the latest work may activate its board again`() async throws {
        let hold = AsyncLatch()
        let motherboard = motherboard
        var inner: BoardOutputs<Figures>?
        let start: @MainActor () -> Void = { inner = inner ?? motherboard.outputs(of: .figures, with: 3) }
        motherboard.registerTask(.figures, .latest) { input, _ in
            if input == 1 {
                await withTaskCancellationHandler {
                    try? await hold.waitUnlessCancelled()
                } onCancel: {
                    MainActor.assumeIsolated { start() }
                }
            }
            return input
        }
        let first = motherboard.outputs(of: .figures, with: 1)
        await hold.arrivals(atLeast: 1)
        let second = motherboard.outputs(of: .figures, with: 2)
        #expect(try await first.all().isEmpty)
        #expect(try await inner?.all() == [3])
        #expect(try await second.all().isEmpty)
    }
}
