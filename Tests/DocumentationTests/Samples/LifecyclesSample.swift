// The samples of Sources/Backplane/Backplane.docc/LifecyclesAndIsolation.md, with tests.

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

enum Cover: BoardContract {
    typealias Input = String
    typealias Output = String
}

enum SearchField: BoardContract {
    typealias Output = [String]
    enum Command { case type(String) }
}

enum Welcome: BoardContract {}

struct SignOut: BoardFlowAction {}

extension TaskKey { static let search: Self = "search" }

@MainActor final class SearchFieldBoard: Board {
    let slot: Slot<SearchField>
    private let find: (String) async throws -> [String]
    private let clock: any Clock<Duration>

    init(
        slot: Slot<SearchField>,
        find: @escaping (String) async throws -> [String],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.slot = slot
        self.find = find
        self.clock = clock
    }

    func activate(with input: Void) {}

    func receive(_ command: SearchField.Command) {
        switch command {
        case .type(let text):
            task(.search) {
                try await self.clock.sleep(for: .milliseconds(300))  // until the user stops typing
                self.send(try await self.find(text))
            }
        }
    }
}

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
        keep(SleepTimer(), for: screen)  // released with the screen
        pair(with: screen)  // the activation ends with the screen
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

@MainActor func order(on motherboard: Motherboard, for cents: Int) async throws -> Order {
    let address = Task { try await motherboard.result(of: Address.id) }
    let payment = Task { try await motherboard.result(of: Payment.id, with: cents) }
    return try await Order(address: address.value, payment: payment.value)
}

@MainActor struct LifecyclesSample {
    private let motherboard = Motherboard.onMain()

    @Test func `a board releases a component that reports its end`() throws {
        var made: DownloadBoard?
        motherboard.register { slot in
            let board = DownloadBoard(slot: slot)
            made = board
            return board
        }
        let download = motherboard.activate(Download.id, with: "one")
        let board = try #require(made)
        weak let transfer = board.transfer
        board.transfer?.finish()
        #expect(transfer == nil)
        #expect(download.state == .active)
    }

    @Test func `a paired activation is cancelled when its screen is released`() {
        var screen: PlayerScreen?
        let audio = AudioComponent()
        motherboard.register { slot in
            PlayerBoard(slot: slot) {
                screen = $0
                return audio
            }
        }
        let activation = motherboard.activate(Player.id, with: "one")
        #expect(motherboard.send(.pause, to: Player.id) == .delivered(1))
        #expect(audio.pauses == 1)
        #expect(screen != nil)
        screen = nil
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "cancelled")
        #expect(motherboard.send(.pause, to: Player.id) == .notLive)
    }

    #if DEBUG
        @Test func `a board that stays alive after its completion raises a leak event`() async {
            let clock = ManualClock()
            let motherboard = Motherboard(clock: clock)
            let noticed = AsyncLatch()
            var leaks: [BoardEvent] = []
            motherboard.observe { event in
                if event.kind == .leaked {
                    leaks.append(event)
                    noticed.open()
                }
            }
            var held: [DownloadBoard] = []
            motherboard.register { slot in
                let board = DownloadBoard(slot: slot)
                held.append(board)
                return board
            }
            motherboard.activate(Download.id, with: "one").complete()
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await noticed.wait()
            #expect(leaks.map { $0.board?.name } == ["download"])
            #expect(held.count == 1)
        }
    #endif

    @Test func `a closure can be a board, and its outputs are a sequence`() async throws {
        @Sendable func write(_ episode: String) async throws -> String { "\(episode).m4a" }
        motherboard.registerTask(Export.id, .queue) { episode, slot in
            slot.send(.progress(0))
            let file = try await write(episode)
            return .file(file)
        }
        var outputs: [Export.Output] = []
        for try await output in motherboard.outputs(of: Export.id, with: "one") { outputs.append(output) }
        #expect(outputs == [.progress(0), .file("one.m4a")])
    }

    @Test func `two results can be awaited at the same time`() async throws {
        motherboard.registerTask(Address.id) { _, _ in "Hanoi" }
        motherboard.registerTask(Payment.id) { cents, _ in "paid \(cents)" }
        let order = try await order(on: motherboard, for: 3)
        #expect(order == Order(address: "Hanoi", payment: "paid 3"))
    }

    @Test func `a search field searches for the latest text only`() async {
        let clock = ManualClock()
        let test = TestMotherboard(exhaustive: false)
        var searched: [String] = []
        func find(_ text: String) -> [String] {
            searched.append(text)
            return [text.uppercased()]
        }
        test.motherboard.register { slot in SearchFieldBoard(slot: slot, find: { find($0) }, clock: clock)
        }
        test.motherboard.activate(SearchField.id)
        test.motherboard.send(.type("s"), to: SearchField.id)
        await clock.sleepers(atLeast: 1)
        test.motherboard.send(.type("sw"), to: SearchField.id)
        test.motherboard.send(.type("swi"), to: SearchField.id)
        while searched.isEmpty {
            await Task.yield()
            clock.advance(by: .milliseconds(300))
        }
        await test.receive(.unhandledOutput(SearchField.id, ["SWI"]))
        #expect(searched == ["swi"])
    }

    @Test func `a completion flow receives the ended activation`() {
        let audio = AudioComponent()
        var screens: [PlayerScreen] = []
        motherboard.register(reuse: .perActivation) { slot in
            PlayerBoard(slot: slot) {
                screens.append($0)
                return audio
            }
        }
        let trailer = motherboard.activate(Player.id, with: "trailer")
        motherboard.registerCompletionFlow(Player.id) { completion, activation, motherboard in
            if activation == trailer { motherboard.activate(Player.id, with: "episode one") }
        }
        motherboard.activate(Player.id, with: "something else").complete()
        #expect(screens.count == 2)
        trailer.complete()
        #expect(screens.count == 3)
        #expect(motherboard.liveCount(of: Player.id) == 1)
    }

    @Test func `all boards end when a user signs out`() {
        motherboard.register { slot in DownloadBoard(slot: slot) }
        TestBoard(Welcome.id, on: motherboard)
        motherboard.registerGeneralFlow { (_: SignOut, motherboard) in
            motherboard.completeAllBoards()
            motherboard.activate(Welcome.id)
        }
        let download = motherboard.activate(Download.id, with: "one")
        motherboard.sendAction(SignOut())
        #expect(download.completion?.isCancelled == true)
        #expect(!motherboard.isLive(Download.id))
        #expect(motherboard.isLive(Welcome.id))
    }

    @Test func `the last output of a task board is its result`() async throws {
        @Sendable func write(_ episode: String) async throws -> String { "\(episode).m4a" }
        motherboard.registerTask(Export.id) { episode, slot in
            slot.send(.progress(0))
            return .file(try await write(episode))
        }
        let file = try await motherboard.result(of: Export.id, with: "one", takingLast: true)
        #expect(file == .file("one.m4a"))
    }

    @Test func `equal activations join one task`() async throws {
        let covers = LoadStub<String, String>()
        let download = covers.load
        motherboard.registerTask(Cover.id, .join) { episode, slot in
            try await download(episode)
        }
        let first = motherboard.outputs(of: Cover.id, with: "one")
        let second = motherboard.outputs(of: Cover.id, with: "one")
        await covers.requests(atLeast: 1)
        covers.succeed("one", with: "blue")
        var seen: [String] = []
        for try await cover in first { seen.append(cover) }
        for try await cover in second { seen.append(cover) }
        #expect(seen == ["blue", "blue"])
    }
}
