import Backplane
import TestSupport
import Testing

/// The same gate is set only once, unless the caller replaces the gate explicitly.
@MainActor @Suite(.serialized)
struct GateTwiceTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let logins = Asked<Doorkeeper>()
    let questions = Asked<Question>()

    init() {
        motherboard.probe(.login, notedIn: logins)
        motherboard.probe(.confirm, notedIn: questions)
        motherboard.probe(.first) { [journal] _, input in journal.note("first \(input)") }
    }

    // MARK: Adding

    @Test(.rule("B31")) func `gates with different inputs are separate gates and are all asked`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.gate(.first, by: .confirm, with: "Really?") { $0 ? .open : .closed }
        motherboard.gateAll(by: .confirm, with: "All?") { $0 ? .open : .closed }
        motherboard.gateAll(by: .confirm, with: "Everybody?") { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        for number in 0..<4 { questions.boards[number].send(true) }
        #expect(questions.inputs == ["All?", "Everybody?", "Sure?", "Really?"])
        #expect(first.state == .active)
    }

    @Test(.rule("B31")) func `a gate for another board, on another motherboard or for all boards is a separate gate`() {
        motherboard.probe(.second)
        let inner = motherboard.makeInner()
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.second, by: .login) { $0 ? .open : .closed }
        motherboard.gateAll(by: .login) { $0 ? .open : .closed }
        inner.gate(.first, by: .login) { $0 ? .open : .closed }
        let inside = inner.activate(.first, with: 1)
        for number in 0..<3 {
            #expect(inside.state == .waiting)
            logins.boards[number].send(true)
        }
        #expect(logins.boards.count == 3)
        #expect(inside.state == .active)
    }

    // MARK: Replacing

    @Test(.rule("B31")) func `an activation that has passed a gate is asked again by its replacement`() {
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        logins.boards[0].send(true)
        motherboard.gate(.first, by: .login, replacing: true) { $0 ? .closed : .open }
        questions.boards[0].send(true)
        #expect(first.state == .waiting)
        #expect(logins.boards.count == 2)
        logins.boards[1].send(true)
        #expect(first.state == .denied(Denial(of: .first, by: .login, .closed)))
    }

    @Test(.rule("B31"))
    func `an activation waiting at a replaced gate is judged by the old gate, then by the new gate`() {
        motherboard.gate(.first, by: .login) { [journal] _ in
            journal.note("old")
            return .open
        }
        let first = motherboard.activate(.first, with: 1)
        motherboard.gate(.first, by: .login, replacing: true) { [journal] _ in
            journal.note("new")
            return .open
        }
        logins.boards[0].send(true)
        #expect(first.state == .waiting)
        logins.boards[1].send(true)
        #expect(journal.lines == ["old", "new", "first 1"])
    }

    @Test(.rule("B31")) func `a replacement takes the place of the gate with an equal question only`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { _ in .closed }
        motherboard.gate(.first, by: .confirm, with: "Really?") { $0 ? .open : .closed }
        motherboard.gate(.first, by: .confirm, with: "Sure?", replacing: true) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        questions.boards[0].send(true)
        questions.boards[1].send(true)
        #expect(questions.inputs == ["Sure?", "Really?"])
        #expect(first.state == .active)
    }

    @Test(.rule("B31")) func `replacing a missing gate sets the gate`() {
        motherboard.gate(.first, by: .login, replacing: true) { $0 ? .open : .closed }
        motherboard.gateAll(by: .confirm, with: "?", except: .login, replacing: true) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        questions.boards[0].send(true)
        logins.boards[0].send(true)
        #expect(first.state == .active)
    }

    @Test(.rule("B31")) func `a replaced general gate has the new exceptions`() {
        motherboard.gateAll(by: .login) { _ in .open }
        motherboard.gateAll(by: .login, except: .first, replacing: true) { _ in .open }
        #expect(motherboard.activate(.first, with: 1).state == .active)
    }

    @Test(.rule("B31", "B47")) func `an input-dependent question replaces any question of the same gate`() {
        motherboard.gate(.first, by: .confirm, with: "Sure?") { _ in .closed }
        motherboard.gate(
            .first,
            by: .confirm,
            asking: { "About \($0)?" },
            replacing: true,
            verdict: { $0 ? .open : .closed }
        )
        let first = motherboard.activate(.first, with: 1)
        #expect(questions.inputs == ["About 1?"])
        questions.boards[0].send(true)
        #expect(first.state == .active)
    }

    // MARK: Setting a gate twice

    /// Checks the error message of the process that ended with `result`.
    private func check(_ result: ExitTest.Result?, _ line: Int, in front: String, by gate: String) {
        let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(message.contains("The gate '\(gate)' is set in front of \(front) already."), "\(message)")
        #expect(message.contains("replacing: true"), "\(message)")
        #expect(message.contains("/GateTwiceTests.swift:\(line): "), "\(message)")
    }

    @Test(.rule("B31", "B67")) func `setting a gate twice traps with a message and the caller's line`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Twice.withoutInput()
        }
        check(result, Twice.withoutInputLine, in: "board 'first'", by: "login")
    }

    @Test(.rule("B31", "B67")) func `setting a gate twice with the same question traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Twice.withInput()
        }
        check(result, Twice.withInputLine, in: "board 'first'", by: "confirm")
    }

    @Test(.rule("B31", "B67")) func `setting a general gate twice traps even with other exceptions`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Twice.general()
        }
        check(result, Twice.generalLine, in: "all boards", by: "login")
    }

    @Test(.rule("B31", "B47", "B67"))
    func `setting an input-dependent question after a fixed question of the same gate traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Twice.dependent()
        }
        check(result, Twice.dependentLine, in: "board 'first'", by: "confirm")
    }

    @Test(.rule("B31", "B67")) func `setting a gate twice with questions that cannot be compared traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Twice.incomparable()
        }
        check(result, Twice.incomparableLine, in: "board 'first'", by: "matters")
    }
}

/// Programs that set a gate twice, each with the line of the second call.
///
/// They are outside the tests, because the macro changes the line numbers there.
@MainActor private enum Twice {
    private enum Matters: BoardContract {
        struct Input {}
        typealias Output = Bool
    }

    static let withoutInputLine = #line + 4
    static func withoutInput() {
        let motherboard = Motherboard()
        motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
        motherboard.gate(.first, by: .login, unless: { true }, verdict: { _ in .closed })
    }

    static let withInputLine = #line + 4
    static func withInput() {
        let motherboard = Motherboard()
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
    }

    static let generalLine = #line + 4
    static func general() {
        let motherboard = Motherboard()
        motherboard.gateAll(by: .login) { $0 ? .open : .closed }
        motherboard.gateAll(by: .login, except: .first) { $0 ? .open : .closed }
    }

    static let dependentLine = #line + 4
    static func dependent() {
        let motherboard = Motherboard()
        motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.gate(.first, by: .confirm, asking: { "About \($0)?" }, verdict: { $0 ? .open : .closed })
    }

    static let incomparableLine = #line + 5
    static func incomparable() {
        let motherboard = Motherboard()
        let gate = BoardID<Matters>("matters")
        motherboard.gate(.first, by: gate, with: Matters.Input()) { _ in .open }
        motherboard.gate(.first, by: gate, with: Matters.Input()) { _ in .open }
    }
}
