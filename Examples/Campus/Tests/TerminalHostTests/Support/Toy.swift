import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneTesting
import Observation
import Screens
import TerminalHost

enum Contracts {
    enum Counter: BoardContract {}
    enum Slow: BoardContract { typealias Input = String }
    enum Late: BoardContract {}
    enum Secret: BoardContract {}
    enum Shut: BoardContract {}
    enum Bouncer: BoardContract { enum Output { case yes, no } }
    enum Host: BoardContract {}
    enum Question: BoardContract { typealias Output = Int }
}

extension BoardID<Contracts.Counter> { static var counter: Self { "counter" } }
extension BoardID<Contracts.Slow> { static var slow: Self { "slow" } }
extension BoardID<Contracts.Late> { static var late: Self { "late" } }
extension BoardID<Contracts.Secret> { static var secret: Self { "secret" } }
extension BoardID<Contracts.Shut> { static var shut: Self { "shut" } }
extension BoardID<Contracts.Bouncer> { static var bouncer: Self { "bouncer" } }
extension BoardID<Contracts.Host> { static var host: Self { "host" } }
extension BoardID<Contracts.Question> { static var question: Self { "question" } }

/// A module of a few boards to use in a terminal.
struct ToyModule: BoardModule {
    let navigator: ScreenNavigator
    /// The latch that slow boards and screens wait for.
    let gate: AsyncLatch
    let end: @Sendable () async -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register(.counter) { slot in
            ClosureBoard(slot: slot) { _ in navigator.setRoot(CounterScreen { slot.task { await end() } }) }
        }
        motherboard.register(.slow) { slot in
            ClosureBoard(slot: slot) { name in
                // The screen, and not a task of the board, reports that it loads.
                let screen = SlowScreen(behind: gate)
                screen.load(name, on: slot.owner)
                navigator.push(screen)
            }
        }
        motherboard.register(.late) { slot in
            ClosureBoard(slot: slot) { _ in
                // A task that ends first: settling must wait for the second task too.
                slot.task {}
                slot.task {
                    await gate.wait()
                    navigator.push(PlainScreen("Late"))
                }
            }
        }
        motherboard.register(.secret) { slot in
            ClosureBoard(slot: slot) { _ in navigator.setRoot(PlainScreen("Secret")) }
        }
        motherboard.register(.bouncer) { slot in
            ClosureBoard(slot: slot) { _ in
                let form = PlainScreen("Who is there?") { answer in
                    if answer == "leave" {
                        for place in navigator.places { place.dismiss() }
                    } else {
                        slot.send(answer == "friend" ? .yes : .no)
                    }
                }
                slot.pair(with: navigator.push(form))
            }
        }
        motherboard.gate(.secret, by: .bouncer) { $0 == .yes ? .open : .closed }
        motherboard.register(.shut) { slot in ClosureBoard(slot: slot) { _ in } }
        motherboard.gate(.shut, by: BoardID<Contracts.Bouncer>("nobody")) { _ in .open }
        motherboard.register(.host) { slot in
            slot.inner.register(.question) { inner in
                ClosureBoard(slot: inner) { _ in
                    navigator.present(PlainScreen("How many?") { inner.complete(sending: Int($0) ?? 0) })
                }
            }
            return ClosureBoard(slot: slot) { _ in
                slot.task {
                    let answer = try await slot.inner.result(of: .question)
                    navigator.setRoot(PlainScreen("\(answer) of them"))
                }
            }
        }
        motherboard.allowLinks(schemes: ["toy"])
        motherboard.registerLink("", to: .counter)
        motherboard.registerLink("slow/{name}", to: .slow)
        motherboard.registerLink("late", to: .late)
        motherboard.registerLink("secret", to: .secret)
        motherboard.registerLink("shut", to: .shut)
        motherboard.registerLink("host", to: .host)
    }

    /// Returns a terminal with these boards.
    static func terminal(gate: AsyncLatch = AsyncLatch()) -> Terminal {
        let faces: [any TerminalFace] = [ToyFace<CounterScreen>(), ToyFace<PlainScreen>(), ToyFace<SlowScreen>()]
        return Terminal(faces: faces) { motherboard, navigator, end in
            motherboard.install(ToyModule(navigator: navigator, gate: gate, end: end))
        }
    }
}

struct ClosureBoard<Contract: BoardContract>: Board where Contract.Command == Never {
    let slot: Slot<Contract>
    let run: (Contract.Input) -> Void

    func activate(with input: Contract.Input) { run(input) }
}

@Observable
final class CounterScreen: ToyScreen {
    private var count = 0
    let title = "Counter"
    let path = "/"
    private let onLeave: () -> Void

    init(onLeave: @escaping () -> Void) {
        self.onLeave = onLeave
    }

    var sections: [TextSection] { [TextSection("count", ["count: \(count)"])] }

    func handle(_ command: String, _ arguments: EventFields) {
        switch command {
        case "add": count += Int(arguments["number"] ?? "") ?? 1
        case "leave": onLeave()
        default: break
        }
    }
}

/// A screen with only a title that forwards its commands.
final class PlainScreen: ToyScreen {
    let title: String
    let path = "/plain"
    private let onCommand: (String) -> Void

    init(_ title: String, onCommand: @escaping (String) -> Void = { _ in }) {
        self.title = title
        self.onCommand = onCommand
    }

    func handle(_ command: String, _ arguments: EventFields) { onCommand(command) }
}

/// A screen that loads a text with the name of its link.
final class SlowScreen: ToyScreen {
    let title = "Slow"
    let path = "/slow"
    private let text: Loader<String, String>

    init(behind gate: AsyncLatch) {
        text = Loader { name in
            await gate.wait()
            if name == "broken" { throw DisplayError("It is broken.") }
            return "Here is \(name)"
        }
    }

    var isBusy: Bool { text.state.isLoading }
    var sections: [TextSection] { [TextSection("text", text) { [$0] }] }

    func load(_ name: String, on owner: any Actor) {
        text.load(name, on: owner)
    }
}
