import Backplane
import Testing

@testable import BackplaneTesting

/// Tests of every kind of expected event: the events that it matches, the events that it does not
/// match, and its text in a failure.
@MainActor struct ExpectedEventTests {
    let motherboard = Motherboard.onMain()
    let swift = Course.ID(rawValue: "swift")
    let rust = Course.ID(rawValue: "rust")

    /// Checks that the observed events match `expected`, do not match `others`, and have `text`.
    private func check(
        _ happening: () -> Void,
        is expected: [ExpectedEvent],
        isNot others: [ExpectedEvent] = [],
        text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let test = TestMotherboard(observing: motherboard, exhaustive: false, ignoring: [])
        happening()
        let seen = test.recorder.unasserted
        for event in expected {
            #expect(seen.contains(where: event.matches), "\(event.text)", sourceLocation: sourceLocation)
        }
        for event in others {
            #expect(!seen.contains(where: event.matches), "\(event.text)", sourceLocation: sourceLocation)
        }
        #expect(seen.map(\.text).contains(text), sourceLocation: sourceLocation)
    }

    @Test func `an expected activation matches by board and input`() {
        TestBoard(.course, on: motherboard)
        check(
            { motherboard.activate(.course, with: swift) },
            is: [
                .activated(.course), .activated(.course, with: swift), .activated(.course) { $0 == swift },
                .event(.activated, .course),
            ],
            isNot: [
                .activated(.course, with: rust), .activated(.course) { $0 == rust }, .activated(.dashboard),
                .waiting(.course, with: swift), .event(.completed, .course), .event(.activated, .dashboard),
            ],
            text: #".activated(.course, with: ID(rawValue: "swift"))"#
        )
        TestBoard(.login, on: motherboard)
        check({ motherboard.activate(.login) }, is: [.activated(.login)], text: ".activated(.login)")
    }

    @Test func `an input with a main-actor Equatable conformance is compared on the main actor`() {
        TestBoard(.city, on: motherboard)
        check(
            { motherboard.activate(.city, with: City.Name(text: "Hue")) },
            is: [.activated(.city, with: City.Name(text: "Hue"))],
            isNot: [.activated(.city, with: City.Name(text: "Hanoi"))],
            text: ".activated(.city, with: the city Hue)"
        )
    }

    @Test func `an expected output matches by board, by value, and by whether a flow handles the output`() {
        let dashboard = TestBoard(.dashboard, on: motherboard)
        motherboard.activate(.dashboard, with: "ada")
        check(
            { dashboard.send(.open(swift)) },
            is: [
                .unhandledOutput(.dashboard), .unhandledOutput(.dashboard, .open(swift)),
                .unhandledOutput(.dashboard) { if case .open = $0 { true } else { false } },
            ],
            isNot: [
                .output(.dashboard), .unhandledOutput(.dashboard, .signedOut), .unhandledOutput(.login),
                .unhandledOutput(.dashboard) { $0 == .signedOut },
            ],
            text: #".unhandledOutput(.dashboard, .open(ID(rawValue: "swift")))"#
        )
        motherboard.registerFlow(from: .dashboard) { _, _ in }
        check(
            { dashboard.send(.signedOut) },
            is: [.output(.dashboard), .output(.dashboard, .signedOut), .output(.dashboard) { $0 == .signedOut }],
            isNot: [
                .unhandledOutput(.dashboard), .output(.dashboard, .open(swift)), .output(.login),
                .output(.dashboard) { $0 == .open(swift) },
            ],
            text: ".output(.dashboard, .signedOut)"
        )
        let slot = dashboard.slot
        dashboard.complete()
        check(
            { slot?.send(.signedOut) },
            is: [.event(.droppedOutput, .dashboard)],
            isNot: [.output(.dashboard), .event(.droppedOutput, .login)],
            text: ".event(.droppedOutput, .dashboard)"
        )
    }

    @Test func `an expected command matches by board and value`() {
        TestBoard(.dashboard, on: motherboard)
        motherboard.activate(.dashboard, with: "ada")
        check(
            { motherboard.send(.scroll(to: 3), to: .dashboard) },
            is: [.command(.dashboard, .scroll(to: 3)), .event(.command, .dashboard)],
            isNot: [.command(.dashboard, .refresh), .event(.command, .login)],
            text: ".command(.dashboard, .scroll(to: 3))"
        )
    }

    @Test func `an expected action matches by type, by value, and by whether a flow handles the action`() {
        struct Other: BoardFlowAction {}
        check(
            { motherboard.sendAction(AppAction.open(swift)) },
            is: [.unhandledAction(AppAction.open(swift)), .event(.unhandledAction, AppAction.self)],
            isNot: [
                .unhandledAction(AppAction.returnHome), .action(AppAction.open(swift)),
                .event(.action, AppAction.self), .event(.unhandledAction, Other.self),
            ],
            text: #".unhandledAction(AppAction.open(ID(rawValue: "swift")))"#
        )
        motherboard.registerGeneralFlow { (_: AppAction, _) in }
        check(
            { motherboard.sendAction(AppAction.returnHome) },
            is: [.action(AppAction.returnHome), .event(.action, AppAction.self)],
            isNot: [.action(AppAction.open(swift)), .unhandledAction(AppAction.returnHome)],
            text: ".action(AppAction.returnHome)"
        )
        check(
            { motherboard.sendAction(Other()) },
            is: [.event(.unhandledAction, Other.self)],
            text: ".unhandledAction(Other())"
        )
    }

    @Test func `an expected end matches by completion`() {
        struct NotFound: Error {}
        let course = TestBoard(.course, on: motherboard)
        func end(_ completion: Completion) {
            motherboard.activate(.course, with: swift)
            course.complete(completion)
        }
        check(
            { end(.done) },
            is: [.completed(.course), .event(.completed, .course)],
            isNot: [.cancelled(.course), .failed(.course), .completed(.login)],
            text: ".completed(.course)"
        )
        check(
            { end(.cancelled) },
            is: [.cancelled(.course)],
            isNot: [.completed(.course), .failed(.course), .cancelled(.login)],
            text: ".cancelled(.course)"
        )
        check(
            { end(.failed(NotFound())) },
            is: [.failed(.course), .failed(.course) { $0 is NotFound }],
            isNot: [
                .completed(.course), .cancelled(.course), .failed(.login), .failed(.course) { $0 is CancellationError },
            ],
            text: ".failed(.course, NotFound())"
        )
    }

    @Test func `a waiting activation matches by board and input, and a gate event by the gated board`() {
        let login = TestBoard(.login, on: motherboard)
        TestBoard(.course, on: motherboard)
        motherboard.gate(.course, by: .login) { $0 == "ada" ? .open : .closed }
        func enter(as name: String) {
            motherboard.activate(.course, with: swift)
            login.send(name)
        }
        check(
            { enter(as: "ada") },
            is: [
                .waiting(.course, with: swift), .waiting(.course), .waiting(.course) { $0 == swift },
                .event(.waiting, .course), .event(.gateOpened, .course),
            ],
            isNot: [
                .waiting(.course, with: rust), .waiting(.login), .waiting(.course) { $0 == rust },
                .event(.gateOpened, .login), .event(.gateDenied, .course),
            ],
            text: #".waiting(.course, with: ID(rawValue: "swift"))"#
        )
        check(
            { enter(as: "eve") },
            is: [.event(.gateDenied, .course)],
            isNot: [.event(.gateOpened, .course), .event(.gateDenied, .login), .activated(.course)],
            text: ".event(.gateDenied, .course)"
        )
    }

    #if DEBUG
        @Test(.timeLimit(.minutes(5))) func `a leak is observed after the clock advances`() async {
            let clock = ManualClock()
            let test = TestMotherboard(clock: clock)
            var held: AnyObject?
            test.motherboard.register(.login) { slot in
                let board = Held(slot: slot)
                held = board
                return board
            }
            test.motherboard.activate(.login).complete()
            test.expect(.activated(.login), .completed(.login))
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            await test.receive(.event(.leaked, .login))
            #expect(held != nil)
        }
    #endif

    @Test func `an expected event matches inside any board unless its location is given`() {
        TestBoard(.login, on: motherboard)
        TestBoard(.dashboard, on: motherboard) { _, slot in slot.inner.activate(.login) }
        TestBoard(.course, on: motherboard) { _, slot in slot.inner.activate(.dashboard, with: "ada") }
        check(
            { motherboard.activate(.course, with: swift) },
            is: [
                .activated(.login), .activated(.login).inside(.course, .dashboard),
                .activated(.dashboard).inside(.course),
                .activated(.course).inside(),
            ],
            isNot: [
                .activated(.login).inside(.dashboard), .activated(.login).inside(.dashboard, .course),
                .activated(.login).inside(), .activated(.course).inside(.course),
            ],
            text: ".activated(.login).inside(.course, .dashboard)"
        )
    }

    @Test func `the text of an expected event is its source code`() {
        let texts: [(ExpectedEvent, String)] = [
            (.activated(.login), ".activated(.login)"),
            (.activated(.dashboard, with: "ada"), #".activated(.dashboard, with: "ada")"#),
            (.waiting(.dashboard, with: "ada"), #".waiting(.dashboard, with: "ada")"#),
            (.output(.dashboard) { _ in true }, ".output(.dashboard) { … }"),
            (.output(.dashboard, .signedOut), ".output(.dashboard, .signedOut)"),
            (.failed(.login), ".failed(.login)"),
            (.failed(.login) { _ in true }, ".failed(.login) { … }"),
            (.action(AppAction.returnHome), ".action(AppAction.returnHome)"),
            (.event(.action, AppAction.self), ".event(.action, AppAction.self)"),
            (.event(.gateDenied, .login), ".event(.gateDenied, .login)"),
            (.activated(.login).inside(.course, .dashboard), ".activated(.login).inside(.course, .dashboard)"),
            (.activated(.login).inside(), ".activated(.login).inside()"),
            (.activated(BoardID<Login>("sign-in form 2")), ".activated(.signInForm2)"),
            (
                .completed(BoardID<Login>("search_field")).inside(BoardID<Login>("a-b")),
                ".completed(.searchField).inside(.aB)"
            ),
        ]
        for (event, text) in texts { #expect(event.text == text) }
    }
}

/// A board that the test retains.
private final class Held: Board {
    let slot: Slot<Login>

    init(slot: Slot<Login>) {
        self.slot = slot
    }

    func activate(with input: Void) {}
}

/// A contract like those of a module with main-actor default isolation.
private enum City: BoardContract {
    @MainActor struct Name: @MainActor Equatable, @MainActor CustomStringConvertible {
        let text: String
        var description: String { "the city \(text)" }
    }

    typealias Input = Name
}

extension BoardID<City> { fileprivate static var city: Self { "city" } }
