import Backplane
import BackplaneTesting
import TestSupport
import Testing

/// A board that works until it is cancelled, and reaches for everything around it meanwhile.
private final class Worker: Board {
    let slot: Slot<Numbers>
    private let bus: Bus<Int>
    private let census: Census

    init(slot: Slot<Numbers>, census: Census) {
        self.slot = slot
        self.census = census
        bus = Bus(for: slot)
    }

    deinit { census.go() }

    func activate(with input: Int) {
        inner.probe(.third) { board, input in board.send(input) }
        inner.registerFlow(from: .third) { output, motherboard in motherboard.send(output, to: .third) }
        bus.connect(self) { worker, value in worker.send(value) }
        task {
            // A step of another activation shows that the window is gone.
            var number = 0
            while !Task.isCancelled {
                self.step(number)
                number += 1
                await Task.yield()
            }
        }
    }

    func receive(_ command: Int) {}

    private func step(_ number: Int) {
        bus.send(number)
        nextToBoard(.second, with: number)
        send(number, to: .second)
        sendAction(Wish.returnHome)
        if number == 0 { inner.activate(.third, with: number) }
    }
}

extension Motherboard {
    /// Plugs in boards that use each other, behind flows that need the motherboard.
    fileprivate func plugWorkers(_ census: Census) {
        register(.first) { slot in Worker(slot: slot, census: census) }
        probe(.second) { board, input in board.send(input) }
        registerFlow(from: .first, to: .second) { $0 }
        registerFlow(from: .second) { _, motherboard in _ = motherboard.isLive(.first) }
        registerGeneralFlow { (_: Wish, motherboard) in _ = motherboard.liveCount(of: .second) }
        contribute(to: ContributionPoint<Int>("numbers")) { 1 }
        observe { _ in }
        activate(.first, with: 0)
    }
}

/// A window, as an app has it: its last reference may go on any thread, and with it everything
/// that it holds.
@MainActor private final class Window: LifetimeOwner {
    let lifetime = Lifetime()
    private let motherboard = Motherboard.onMain()
    private let slot: Slot<Numbers>?
    private let activation: Activation<Numbers>

    init(_ census: Census) {
        motherboard.plugWorkers(census)
        var given: Slot<Numbers>?
        motherboard.probe(.third) { board, _ in given = board.slot }
        activation = motherboard.activate(.third, with: 0)
        slot = given
        motherboard.pair(with: self)
    }
}

/// An actor whose motherboard ends with it.
private actor Station {
    private lazy var motherboard = Motherboard(owner: self)
    private let census: Census

    init(_ census: Census) {
        self.census = census
    }

    /// Makes boards that do not work any longer: a task keeps the actor.
    func plugIn() {
        // Bound, because a closure that captures the actor would keep it.
        let census = census
        motherboard.register(.first) { slot in Guest(slot: slot, census: census) }
        motherboard.activate(.first, with: 0)
    }
}

private final class Guest: Board {
    let slot: Slot<Numbers>
    private let census: Census

    init(slot: Slot<Numbers>, census: Census) {
        self.slot = slot
        self.census = census
    }

    deinit { census.go() }

    func activate(with input: Int) { inner.probe(.second) }
    func receive(_ command: Int) {}
}

@Suite(.timeLimit(.minutes(10))) struct ReleaseStressTests {
    @Test(.rule("B70"), arguments: OwnerPath.allCases)
    func `windows that are released by background tasks during work are released completely`(path: OwnerPath) async {
        let count = scaled(1_000)
        let census = Census(expecting: count)
        await withTaskGroup { group in
            for number in 0..<count {
                let window = Last(await Window(census))
                if number.isMultiple(of: 3) { await Task.yield() }
                group.addTask { path.run { window.release() } }
            }
        }
        await census.allGone.wait()
    }

    @Test(.rule("B70")) func `actors that background tasks release end their motherboards`() async {
        let count = scaled(1_000)
        let census = Census(expecting: count)
        await withTaskGroup { group in
            for _ in 0..<count {
                let station = Last(Station(census))
                group.addTask {
                    await station.current?.plugIn()
                    station.release()
                }
            }
        }
        await census.allGone.wait()
    }
}
