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

    // MARK: Replacing

    @Test(.rule("B31"))
    func `if a gate is replaced, an activation that waits asks the old gate, then the new gate`() {
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

    @Test(.rule("B31")) func `replacing a missing gate sets the gate`() {
        motherboard.gate(.first, by: .login, replacing: true) { $0 ? .open : .closed }
        motherboard.gateAll(by: .confirm, with: "?", except: .login, replacing: true) { $0 ? .open : .closed }
        let first = motherboard.activate(.first, with: 1)
        questions.boards[0].send(true)
        logins.boards[0].send(true)
        #expect(first.state == .active)
    }

    // MARK: Setting a gate twice

    #if compiler(>=6.3) && (os(macOS) || os(Linux))
        @Test(
            .rule("B31", "B47", "B67"),
            arguments: [
                (Twice.withoutInput, "board 'first'", "login"), (.withEqualInput, "board 'first'", "confirm"),
                (.dependent, "board 'first'", "confirm"), (.incomparable, "board 'first'", "matters"),
                (.general, "all boards", "login"),
            ]
        )
        func `setting a gate twice traps with a message and the caller's line`(
            twice: Twice,
            front: String,
            gate: String
        ) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [twice] in
                await twice.set()
            }
            let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(message.contains("The gate '\(gate)' is set in front of \(front) already."), "\(message)")
            #expect(message.contains("replacing: true"), "\(message)")
            #expect(message.contains("/GateTwiceTests.swift:\(Twice.lines[twice] ?? 0): "), "\(message)")
        }
    #endif
}

/// Ways to set a gate twice.
enum Twice: Codable {
    case withoutInput, withEqualInput, dependent, incomparable, general

    private enum Matters: BoardContract {
        struct Input {}
        typealias Output = Bool
    }

    /// The lines of the second calls.
    static let lines = [
        withoutInput: firstLine, withEqualInput: firstLine + 3, dependent: firstLine + 6, incomparable: firstLine + 10,
        general: firstLine + 13,
    ]
    private static let firstLine = #line + 7

    @MainActor func set() {
        let motherboard = Motherboard()
        switch self {
        case .withoutInput:
            motherboard.gate(.first, by: .login) { $0 ? .open : .closed }
            motherboard.gate(.first, by: .login, unless: { true }, verdict: { _ in .closed })
        case .withEqualInput:
            motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
            motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        case .dependent:
            motherboard.gate(.first, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
            motherboard.gate(.first, by: .confirm, asking: { "About \($0)?" }, verdict: { $0 ? .open : .closed })
        case .incomparable:
            let gate = BoardID<Matters>("matters")
            motherboard.gate(.first, by: gate, with: Matters.Input()) { _ in .open }
            motherboard.gate(.first, by: gate, with: Matters.Input()) { _ in .open }
        case .general:
            motherboard.gateAll(by: .login) { $0 ? .open : .closed }
            motherboard.gateAll(by: .login, except: .first) { $0 ? .open : .closed }
        }
    }
}
