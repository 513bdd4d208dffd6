// Sources/Backplane/Backplane.docc/LifecyclesAndIsolation.md, and tests of what it says.

import Backplane
import BackplaneTesting
import Testing

enum Player: BoardContract {
    typealias Input = String
    enum Command { case pause }
}

enum Download: BoardContract { typealias Input = String }

enum Export: BoardContract {
    typealias Input = String
    enum Output: Equatable {
        case progress(Double)
        case file(String)
    }
}

extension BoardID<Player> { static var player: Self { "player" } }
extension BoardID<Download> { static var download: Self { "download" } }
extension BoardID<Export> { static var export: Self { "export" } }

@MainActor final class Transfer {
    private let whenFinished: () -> Void

    init(of episode: String, whenFinished: @escaping () -> Void) {
        self.whenFinished = whenFinished
    }

    func finish() { whenFinished() }
}

@MainActor final class DownloadBoard: Board {
    let slot: Slot<Download>
    private(set) var transfer: Transfer?

    init(slot: Slot<Download>) {
        self.slot = slot
    }

    func activate(with episode: String) {
        transfer = Transfer(of: episode) { [weak self] in self?.transfer = nil }
    }
}

@MainActor final class PlayerScreen: LifetimeOwner {
    let lifetime = Lifetime()
}

final class SleepTimer {}

@MainActor protocol PlayerControllable: AnyObject {
    func pause()
}

@MainActor final class PlayerBoard: Board {
    let slot: Slot<Player>
    private let show: (PlayerScreen) -> any PlayerControllable
    private let bus: Bus<Player.Command>

    init(slot: Slot<Player>, show: @escaping (PlayerScreen) -> any PlayerControllable) {
        self.slot = slot
        self.show = show
        bus = Bus(for: slot)
    }

    func activate(with episode: String) {
        let screen = PlayerScreen()
        keep(SleepTimer(), for: screen)  // goes when the screen goes
        pair(with: screen)  // so does this activation
        bus.connect(show(screen)) { component, command in
            switch command {
            case .pause: component.pause()
            }
        }
    }

    func receive(_ command: Player.Command) { bus.send(command) }
}

@MainActor private final class AudioComponent: PlayerControllable {
    private(set) var pauses = 0
    func pause() { pauses += 1 }
}

final class CounterBoard: Board {
    enum Contract: BoardContract {
        typealias Input = Int
        typealias Output = Int
    }

    let slot: Slot<Contract>

    init(slot: Slot<Contract>) {
        self.slot = slot
    }

    func activate(with start: Int) {
        task { await self.count(from: start) }
    }

    // On the caller's actor, which is the board's.
    nonisolated(nonsending) func count(from start: Int) async {
        for number in start..<start + 3 { send(number) }
        complete()
    }
}

extension BoardID<CounterBoard.Contract> { static var counter: Self { "counter" } }

actor Window {
    private lazy var motherboard = Motherboard(owner: self)
    private(set) var seen: [Int] = []

    func count() async throws {
        motherboard.register(.counter, CounterBoard.init)
        motherboard.registerFlow(from: .counter, weak: self) { window, number in
            window.assumeIsolated { $0.seen.append(number) }
        }
        for try await _ in motherboard.outputs(of: .counter, with: 1) {}
    }
}

@MainActor func order(on motherboard: Motherboard, for cents: Int) async throws -> Order {
    let address = Task { try await motherboard.result(of: .address) }
    let payment = Task { try await motherboard.result(of: .payment, with: cents) }
    return try await Order(address: address.value, payment: payment.value)
}

@MainActor struct LifecyclesSample {
    private let motherboard = Motherboard.onMain()

    @Test func `a component that says when it has finished is let go by its board`() throws {
        var made: DownloadBoard?
        motherboard.register(.download) { slot in
            let board = DownloadBoard(slot: slot)
            made = board
            return board
        }
        let download = motherboard.activate(.download, with: "one")
        let board = try #require(made)
        weak let transfer = board.transfer
        board.transfer?.finish()
        #expect(transfer == nil)
        #expect(download.state == .active)
    }

    @Test func `an activation that is paired ends with its screen, as cancelled`() {
        var screen: PlayerScreen?
        let audio = AudioComponent()
        motherboard.register(.player) { slot in
            PlayerBoard(slot: slot) {
                screen = $0
                return audio
            }
        }
        let activation = motherboard.activate(.player, with: "one")
        #expect(motherboard.send(.pause, to: .player) == .delivered(1))
        #expect(audio.pauses == 1)
        #expect(screen != nil)
        screen = nil
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "cancelled")
        #expect(motherboard.send(.pause, to: .player) == .notLive)
    }

    @Test func `a screen that goes after the board was activated again ends nothing`() {
        var screens: [PlayerScreen] = []
        let audio = AudioComponent()
        motherboard.register(.player) { slot in
            PlayerBoard(slot: slot) {
                screens.append($0)
                return audio
            }
        }
        motherboard.activate(.player, with: "one")
        let second = motherboard.activate(.player, with: "two")
        screens.removeFirst()
        #expect(second.state == .active)
        motherboard.send(.pause, to: .player)
        #expect(audio.pauses == 1)  // connected twice, but each activation replaces the connections of the earlier one
        screens.removeFirst()
        #expect(second.state == .completed)
    }

    @Test func `a kept component goes with its object`() {
        final class KeepingBoard: Board {
            let slot: Slot<Download>
            init(slot: Slot<Download>) { self.slot = slot }
            func activate(with episode: String) {}
        }
        var board: KeepingBoard?
        motherboard.register(.download) { slot in
            let made = KeepingBoard(slot: slot)
            board = made
            return made
        }
        motherboard.activate(.download, with: "one")
        var screen: PlayerScreen? = PlayerScreen()
        weak var timer: SleepTimer?
        if let screen {
            let made = SleepTimer()
            timer = made
            board?.keep(made, for: screen)
        }
        #expect(timer != nil)
        screen = nil
        #expect(timer == nil)
        #expect(board?.slot.isLive == true)
    }

    #if DEBUG
        @Test func `a board that outlives its end is an event`() async {
            let clock = ManualClock()
            let motherboard = Motherboard(clock: clock)
            let noticed = AsyncGate()
            var leaks: [BoardEvent] = []
            motherboard.observe { event in
                if event.kind == .leaked {
                    leaks.append(event)
                    noticed.open()
                }
            }
            var held: [DownloadBoard] = []
            motherboard.register(.download) { slot in
                let board = DownloadBoard(slot: slot)
                held.append(board)
                return board
            }
            motherboard.activate(.download, with: "one").complete()
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await noticed.wait()
            #expect(leaks.map { $0.board?.name } == ["download"])
            #expect(held.count == 1)
        }
    #endif

    @Test func `a closure may be a board, whose outputs are read as they come`() async throws {
        @Sendable func write(_ episode: String) async throws -> String { "\(episode).m4a" }
        motherboard.registerTask(.export, .queue) { episode, slot in
            slot.send(.progress(0))
            let file = try await write(episode)
            return .file(file)
        }
        var outputs: [Export.Output] = []
        for try await output in motherboard.outputs(of: .export, with: "one") { outputs.append(output) }
        #expect(outputs == [.progress(0), .file("one.m4a")])
    }

    @Test(arguments: [
        (TaskStrategy<String>.concurrent(), ["active", "active"]), (.queue, ["active", "active"]),
        (.latest, ["completed", "active"]), (.exclusive, ["active", "completed"]),
    ])
    func `what a second activation means while the first is at work`(
        strategy: TaskStrategy<String>,
        states: [String]
    ) {
        motherboard.registerTask(.export, strategy) { episode, _ in .file(episode) }
        let first = motherboard.activate(.export, with: "one")
        let second = motherboard.activate(.export, with: "two")
        #expect(["\(first.state)", "\(second.state)"] == states)
    }

    @Test func `an exclusive task that is at work is busy`() async {
        motherboard.registerTask(.export, .exclusive) { episode, _ in .file(episode) }
        motherboard.activate(.export, with: "one")
        let error = await #expect(throws: BoardError.self) {
            try await motherboard.result(of: .export, with: "two")
        }
        #expect(error?.code == .busy)
    }

    @Test func `two results are awaited at once in tasks`() async throws {
        motherboard.registerTask(.address) { _, _ in "Hanoi" }
        motherboard.registerTask(.payment) { cents, _ in "paid \(cents)" }
        let order = try await order(on: motherboard, for: 3)
        #expect(order == Order(address: "Hanoi", payment: "paid 3"))
    }

    @Test func `boards on an actor of one's own count on it`() async throws {
        let window = Window()
        try await window.count()
        #expect(await window.seen == [1, 2, 3])
    }
}
