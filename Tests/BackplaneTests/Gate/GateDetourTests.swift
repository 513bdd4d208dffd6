import Backplane
import TestSupport
import Testing

/// A gate board whose own work leads back to it is still being asked.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GateDetourTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let events: EventRecord

    init() {
        events = motherboard.observeEvents()
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.camera, notedIn: journal)
        motherboard.gate(.camera, by: .login) { $0 ? .open : .closed }
    }

    @Test(.rule("B82")) func `a gate board activated by its own detour is still asked`() {
        let camera = motherboard.activate(.camera)
        motherboard.probe(.form) { board, _ in board.nextToBoard(.login) }
        logins.boards[0].nextToBoard(.form)
        #expect(logins.boards.count == 2)
        #expect(logins.boards[0] === logins.boards[1])
        #expect(camera.state == .waiting)
        #expect(logins.boards[1].nextToBoard(.camera).state == .active, "the login still works for its own answer")
        logins.boards[1].send(true)
        #expect(camera.state == .active)
        #expect(journal.lines == ["camera", "camera"])
        #expect(events.boards(.gateDenied).isEmpty)
    }

    @Test(.rule("B82")) func `a gate board activated by flows of its own detour is still asked`() {
        motherboard.gate(.camera, by: .login, replacing: true) { $0 ? .open : .undecided }
        motherboard.registerFlow(from: .login) { isSignedIn, motherboard in
            if !isSignedIn { motherboard.activate(.form) }
        }
        motherboard.registerFlow(from: .form) { _, motherboard in motherboard.activate(.login) }
        motherboard.probe(.form) { board, _ in board.send("reset") }
        let camera = motherboard.activate(.camera)
        logins.boards[0].send(false)
        #expect(logins.boards.count == 2)
        #expect(camera.state == .waiting)
        logins.boards[1].send(true)
        #expect(camera.state == .active)
    }

    @Test(.rule("B82")) func `a gate board that activates itself is still asked`() {
        let camera = motherboard.activate(.camera)
        logins.boards[0].nextToBoard(.login)
        #expect(camera.state == .waiting)
        logins.boards[1].send(true)
        #expect(camera.state == .active)
    }

    @Test(.rule("B82", "B50")) func `a gate board made for a question ends with it after its own detour`() {
        let camera = motherboard.activate(.camera)
        logins.boards[0].nextToBoard(.login)
        camera.complete()
        #expect(!motherboard.isLive(.login))
    }

    @Test(.rule("B82", "B32")) func `another caller supersedes the question after a detour`() {
        let camera = motherboard.activate(.camera)
        logins.boards[0].nextToBoard(.login)
        motherboard.activate(.login)
        #expect(camera.state == .denied(Denial(of: .camera, by: .login, .gateSuperseded)))
    }

    @Test(.rule("B82", "B49")) func `a gate board that a detour activates works for the questions of the detour too`() {
        motherboard.probe(.terms) { board, _ in board.nextToBoard(.login) }
        motherboard.probe(.form, notedIn: journal)
        motherboard.gate(.form, by: .terms) { _ in .undecided }
        let camera = motherboard.activate(.camera)
        let form = logins.boards[0].nextToBoard(.form)
        #expect(form.state == .waiting)
        #expect(logins.boards.count == 2)
        #expect(logins.boards[1].nextToBoard(.form).state == .active)
        logins.boards[1].send(true)
        #expect(camera.state == .active)
        #expect(logins.boards[1].nextToBoard(.form).state == .active, "the login works for the terms until they decide")
    }

    @Test(.rule("B82", "B32")) func `work for another question supersedes the question`() {
        let terms = Asked<Doorkeeper>()
        motherboard.probe(.terms, notedIn: terms)
        motherboard.probe(.form, notedIn: journal)
        motherboard.gate(.form, by: .terms) { _ in .undecided }
        let camera = motherboard.activate(.camera)
        motherboard.activate(.form)
        terms.boards[0].nextToBoard(.login)
        #expect(camera.state == .denied(Denial(of: .camera, by: .login, .gateSuperseded)))
    }
}
