import Backplane
import BackplaneNavigation
import BackplaneTesting
import Screens
import WebHost

/// The data of one session of the toy app, and signals from its windows to the test.
struct Toy: Sendable {
    let session: SessionControl
    let probe: Probe
}

/// Latches and signals between the toy app and its test.
struct Probe: Sendable {
    /// The latch that ``Contracts/Slow`` waits for.
    let gate = AsyncLatch()
    /// The latch that ``Contracts/Door`` waits for.
    let door = AsyncLatch()
    /// A stream that yields when a counter's board completes.
    let endings: AsyncStream<Void>
    private let sessions: AsyncStream<String>
    private let ending: AsyncStream<Void>.Continuation
    private let activations: AsyncStream<String>
    private let activation: AsyncStream<String>.Continuation
    private let session: AsyncStream<String>.Continuation

    init() {
        (endings, ending) = AsyncStream<Void>.makeStream()
        (activations, activation) = AsyncStream<String>.makeStream()
        (sessions, session) = AsyncStream<String>.makeStream()
    }

    func boardEnded() { ending.yield() }
    func activated(_ path: String) { activation.yield(path) }
    func made(_ id: SessionID) { session.yield("made \(id)") }
    func forgot(_ id: SessionID) { session.yield("forgot \(id)") }

    /// Returns the paths of the next `count` pages whose boards are activated.
    func activations(_ count: Int) async -> [String] { await Self.next(count, of: activations) }

    /// Returns the next `count` events of sessions.
    func sessions(_ count: Int) async -> [String] { await Self.next(count, of: sessions) }

    private static func next(_ count: Int, of stream: AsyncStream<String>) async -> [String] {
        var next: [String] = []
        for await element in stream {
            next.append(element)
            if next.count == count { break }
        }
        return next
    }

    /// Waits until `count` boards have completed, or the test is cancelled.
    func endings(_ count: Int) async {
        var seen = 0
        for await _ in endings {
            seen += 1
            if seen == count { return }
        }
    }
}

enum Contracts {
    enum Counter: BoardContract {}
    enum Slow: BoardContract { typealias Input = String }
    enum Late: BoardContract { typealias Input = String }
    enum Private: BoardContract {}
    enum Bouncer: BoardContract { enum Output { case no } }
    enum Page: BoardContract { typealias Input = String }
    enum Door: BoardContract { enum Output { case open } }
}

extension BoardID<Contracts.Counter> { static var counter: Self { "counter" } }
extension BoardID<Contracts.Slow> { static var slow: Self { "slow" } }
extension BoardID<Contracts.Late> { static var late: Self { "late" } }
extension BoardID<Contracts.Private> { static var secret: Self { "secret" } }
extension BoardID<Contracts.Page> {
    static var page: Self { "page" }
    static var member: Self { "member" }
    static var guest: Self { "guest" }
    static var locked: Self { "locked" }
}
extension BoardID<Contracts.Door> {
    static var door: Self { "door" }
    static var reception: Self { "reception" }
    static var lock: Self { "lock" }
}
extension BoardID<Contracts.Bouncer> { static var bouncer: Self { "bouncer" } }

struct ToyModule: BoardModule {
    let toy: Toy
    let navigator: ScreenNavigator
    let window: WindowID

    func register(on motherboard: Motherboard) {
        motherboard.register(.counter) { slot in
            CounterBoard(slot: slot, navigator: navigator, toy: toy, window: window)
        }
        motherboard.register(.slow) { slot in SlowBoard(slot: slot, navigator: navigator, gate: toy.probe.gate) }
        motherboard.register(.late) { slot in LateBoard(slot: slot, navigator: navigator, gate: toy.probe.gate) }
        motherboard.register(.secret) { slot in ClosureBoard(slot: slot) {} }
        motherboard.register(.bouncer) { slot in ClosureBoard(slot: slot) { slot.send(.no) } }
        for id in [BoardID<Contracts.Page>.page, .member, .guest, .locked] {
            motherboard.register(id, reuse: .perActivation) { slot in
                PageBoard(slot: slot, navigator: navigator, probe: toy.probe)
            }
        }
        motherboard.registerLink("page/{name}", to: .page)
        motherboard.registerLink("member/{name}", to: .member)
        motherboard.registerLink("guest/{name}", to: .guest)
        motherboard.registerLink("locked/{name}", to: .locked)
        motherboard.register(.door) { slot in DoorBoard(slot: slot, gate: toy.probe.door) }
        motherboard.gate(.member, by: .door) { _ in .open }
        motherboard.register(.reception) { slot in ReceptionBoard(slot: slot, navigator: navigator) }
        motherboard.gate(.guest, by: .reception) { _ in .open }
        motherboard.gate(.secret, by: .bouncer) { _ in .closed }
        motherboard.register(.lock) { slot in
            ClosureBoard(slot: slot) {
                slot.task {
                    await toy.probe.door.wait()
                    slot.complete(.cancelled)
                }
            }
        }
        motherboard.gate(.locked, by: .lock) { _ in .open }
        motherboard.registerLink("", to: .counter)
        motherboard.contribute(to: .barEntries) { BarEntry("Guide", path: "/guide") }
        motherboard.registerLink("slow/{name}", to: .slow)
        motherboard.registerLink("late/{name}", to: .late)
        motherboard.registerLink("secret", to: .secret)
        motherboard.registerCompletionFlow(.counter) { [probe = toy.probe] _, _ in probe.boardEnded() }
    }

    static let templates = [
        "counter": """
        <h2>Count</h2><p id="count">{{count}}</p>
        <form method="post" action="{{host.action}}" data-event>
        {{>host-fields}}
        <button name="_event" value="increment">One more</button>
        </form>
        """,
        "note": "<h2>Note</h2><p id=\"note\" title=\"{{text}}\">{{text}}</p>",
        "page": """
        <form method="post" action="{{host.action}}" data-event>{{>host-fields}}<p id="note">{{text}}</p></form>
        """,
        "slow": "{{#name}}<p>Here is {{.}}</p>{{/name}}{{^name}}<p aria-busy=\"true\">Loading</p>{{/name}}",
    ]

    /// Returns the app around the module.
    static func app(probe: Probe) -> WebApp<Toy> {
        WebApp(
            name: "Toy",
            templates: templates,
            faces: [ToyFace<CounterScreen>(), ToyFace<PageScreen>(), ToyFace<SlowScreen>()],
            makeScope: { session in
                probe.made(session.id)
                return Toy(session: session, probe: probe)
            },
            forgetScope: { toy in
                // A cancelled task does nothing, as with a database.
                guard !Task.isCancelled else { return }
                probe.forgot(toy.session.id)
            },
            assemble: { motherboard, navigator, toy, window in
                motherboard.install(ToyModule(toy: toy, navigator: navigator, window: window))
            }
        )
    }
}

struct ClosureBoard<Contract: BoardContract>: Board where Contract.Input == Void, Contract.Command == Never {
    let slot: Slot<Contract>
    let run: () -> Void

    func activate(with input: Void) { run() }
}

/// A board whose page leaves with it.
///
/// The counter's board, by contrast, does not notice the end of its screen.
struct PageBoard: Board {
    let slot: Slot<Contracts.Page>
    let navigator: ScreenNavigator
    let probe: Probe

    func activate(with name: String) {
        let path = "/\(slot.id.name)/\(name)"
        probe.activated(path)
        pair(with: navigator.push(PageScreen(path: path)))
    }
}

/// A gate board that opens when its latch opens, like a sign-in that asks a server.
struct DoorBoard: Board {
    let slot: Slot<Contracts.Door>
    let gate: AsyncLatch

    func activate(with input: Void) {
        slot.task {
            await gate.wait()
            slot.complete(sending: .open)
        }
    }
}

/// A gate board that opens on an event of its form, which has the start page's path.
struct ReceptionBoard: Board {
    let slot: Slot<Contracts.Door>
    let navigator: ScreenNavigator

    func activate(with input: Void) {
        let form = PageScreen(path: "/")
        form.onEvent = { [weak form, slot, navigator] in
            slot.complete(sending: .open)
            if let form { navigator.dismiss(form) }
        }
        slot.pair(with: navigator.push(form))
    }
}

struct CounterBoard: Board {
    let slot: Slot<Contracts.Counter>
    let navigator: ScreenNavigator
    let toy: Toy
    let window: WindowID

    func activate(with input: Void) {
        let screen = CounterScreen()
        screen.onWish = { [toy, window, slot, navigator, weak screen] wish in
            switch wish {
            case .signIn:
                screen?.isBusy = true
                slot.task {
                    await toy.session.renew(from: window)
                    screen?.isBusy = false
                }
            case .signInLate:
                screen?.isBusy = true
                slot.task {
                    await toy.probe.gate.wait()
                    await toy.session.renew(from: window)
                    screen?.isBusy = false
                }
            case .signOut: slot.task { await toy.session.end() }
            case .slow: navigator.push(SlowScreen(name: "pushed", isLoaded: true))
            case .sheet: navigator.present(PageScreen(path: "/sheet"))
            case .cover: navigator.present(PageScreen(path: "/cover"), as: .cover)
            case .save:
                EventEffects.current?.begin()
                slot.task {
                    await toy.probe.gate.wait()
                    EventEffects.current?.end()
                }
            case .client: screen?.note = toy.session.client ?? "unknown"
            case .address: slot.task { screen?.note = await toy.session.clientAddress ?? "unknown" }
            case .ask:
                slot.task {
                    let dialog = Dialog(
                        "Sure?",
                        message: "<Really>",
                        choices: [.init("Yes", "yes"), .init("No", "no")]
                    )
                    let answer = try? await navigator.ask(dialog)
                    screen?.note = answer ?? "no answer"
                }
            }
        }
        navigator.setRoot(screen)
    }
}

struct SlowBoard: Board {
    let slot: Slot<Contracts.Slow>
    let navigator: ScreenNavigator
    let gate: AsyncLatch

    func activate(with name: String) {
        let screen = SlowScreen(name: name, isLoaded: false)
        navigator.push(screen)
        slot.task {
            await gate.wait()
            screen.isLoaded = true
        }
    }
}

/// A board that shows its screen after a wait, like a sign-in that first looks for a user.
struct LateBoard: Board {
    let slot: Slot<Contracts.Late>
    let navigator: ScreenNavigator
    let gate: AsyncLatch

    func activate(with name: String) {
        slot.task {
            await gate.wait()
            navigator.push(SlowScreen(name: name, isLoaded: true))
        }
    }
}
