import Backplane
import TestSupport
import Testing

/// Activations that wait for a scope wait at the entrance that is registered now.
@Suite(.rule("B56"))
@MainActor struct ReplacedEntranceTests {
    private let campus = Campus(.onMain())
    private let keepers = Asked<Doorkeeper>()
    private var motherboard: Motherboard { campus.motherboard }
    private var lines: [String] { campus.journal.lines }

    init() {
        motherboard.probe(.doorkeeper, notedIn: keepers)
    }

    private func replaceEntrance() {
        motherboard.registerScope(.session, enteredBy: .doorkeeper, replacing: true) { $0 ? Account("eve") : nil }
    }

    @Test func `waiting activations ask a new entrance, and the earlier one ends with them`() {
        let courses = [1, 2].map { motherboard.activate(.course, with: $0) }
        replaceEntrance()
        #expect(courses.map(\.state) == [.waiting, .waiting])
        #expect(!motherboard.isLive(.signIn))
        #expect(keepers.boards.count == 1)
        keepers.boards.first?.send(true)
        #expect(lines == ["session of eve", "eve/course 1", "eve/course 2"])
        #expect(motherboard.isCalm)
    }

    @Test func `if a new entrance answers at once, waiting activations enter`() {
        let course = motherboard.activate(.course, with: 1)
        motherboard.register(.doorkeeper, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in board.send(true) }
        }
        replaceEntrance()
        #expect(course.state == .active)
        #expect(lines == ["session of eve", "eve/course 1"])
    }

    @Test(.rule("B73")) func `an earlier entrance that a user opened stays, and does not enter the scope`() {
        motherboard.activate(.signIn)
        let course = motherboard.activate(.course, with: 1)
        replaceEntrance()
        #expect(motherboard.isLive(.signIn))
        campus.signIn("ada")
        #expect(course.state == .waiting)
        #expect(lines.isEmpty)
        keepers.boards.first?.send(true)
        #expect(course.state == .active)
    }

    @Test func `other activations that wait at the earlier entrance stay there`() {
        motherboard.gate(.words, by: .signIn) { _ in .open }
        motherboard.probe(.words)
        let words = motherboard.activate(.words, with: "")
        let course = motherboard.activate(.course, with: 1)
        replaceEntrance()
        campus.signIn("ada")
        #expect(words.state == .active)
        #expect(course.state == .waiting)
        keepers.boards.first?.send(true)
        #expect(course.state == .active)
    }

    @Test func `an observer may replace an entrance that is about to be asked`() {
        var isReplaced = false
        motherboard.observe { event in
            if isReplaced || event.kind != .waiting || event.board != AnyBoardID(.session) { return }
            isReplaced = true
            replaceEntrance()
        }
        let course = motherboard.activate(.course, with: 1)
        #expect(campus.signIns.boards.isEmpty)
        #expect(keepers.boards.count == 1)
        keepers.boards.first?.send(true)
        #expect(course.state == .active)
    }

    @Test func `an activation that has entered does not ask an entrance that a verdict closure registers`() {
        motherboard.gate(.words, by: .signIn) { _ in
            replaceEntrance()
            campus.journal.note("judged")
            return .open
        }
        motherboard.probe(.words)
        let course = motherboard.activate(.course, with: 1)
        motherboard.activate(.words, with: "")
        campus.signIn("ada")
        #expect(lines == ["judged", "session of ada", "ada/course 1"])
        #expect(course.state == .active)
        #expect(keepers.boards.isEmpty)
        #expect(motherboard.isCalm)
    }

    @Test func `a replaced rule of the same entrance is asked again`() {
        let course = motherboard.activate(.course, with: 1)
        motherboard.registerScope(.session, enteredBy: .signIn, replacing: true) { _ in Account("eve") }
        #expect(course.state == .waiting)
        campus.signIns.boards.last?.send(.forgotPassword)
        #expect(lines == ["session of eve", "eve/course 1"])
    }

    @Test func `a replaced entrance is also replaced inside the live scope around it`() {
        let motherboard = Motherboard.onMain()
        let (pickers, journal) = (Asked<Picker>(), Journal())
        motherboard.probe(.doorkeeper, notedIn: keepers)
        motherboard.probe(.picker, notedIn: pickers)
        motherboard.probe(.organization) { board, name in
            board.inner.probe(.project) { _, number in journal.note("\(name)/\(number)") }
        }
        motherboard.probe(.session)
        motherboard.registerScope(.session, enteredBy: .signIn) { _ in nil }
        motherboard.registerScope(.organization, enteredBy: .picker) { $0 }
        motherboard.declare(.organization, inside: .session)
        motherboard.declare(.project, inside: .organization)
        motherboard.activate(.session, with: Account("ada"))
        let project = motherboard.activate(.project, with: 1)
        #expect(pickers.boards.count == 1)
        motherboard.registerScope(.organization, enteredBy: .doorkeeper, replacing: true) { $0 ? "acme" : nil }
        pickers.boards.first?.send("evil")
        #expect(project.state == .waiting)
        keepers.boards.first?.send(true)
        #expect(project.state == .active)
        #expect(journal.lines == ["acme/1"])
    }

    @Test(.rule("B50")) func `if an activation is cancelled after the replacement, the new entrance ends`() {
        let course = motherboard.activate(.course, with: 1)
        replaceEntrance()
        course.complete()
        #expect(!motherboard.isLive(.doorkeeper))
        #expect(motherboard.isCalm)
    }
}
