import TestSupport
import Testing

@testable import Backplane

/// The decisions about open questions, without boards.
struct GateStateMachineTests {
    private final class Token: GateAsking {
        let asker: UInt64
        let purpose: Purpose?
        let isEntrant: Bool

        init(asker: UInt64 = 0, for purpose: Purpose? = nil, isEntrant: Bool = false) {
            self.asker = asker
            self.purpose = purpose
            self.isEntrant = isEntrant
        }
    }

    private let machine = GateStateMachine<Token, Token>()
    private let one = Token()
    private let other = Token()
    private let third = Token()
    private let confirm = Token()
    private let login = Token()

    private func question(_ input: UInt64, by rule: Token, isComparable: Bool = true) -> GateQuestion {
        var question = GateQuestion(kind: .own, board: AnyBoardID(.confirm), at: confirm)
        question.rule = ObjectIdentifier(rule)
        question.input = input
        question.isComparable = isComparable
        return question
    }

    private var logIn: GateQuestion { GateQuestion(kind: .shared, board: AnyBoardID(.login), at: login) }

    /// Begins a run and returns its number, or 0 if it does not begin.
    private func begin(_ question: GateQuestion, as waiter: Token = Token()) -> UInt64 {
        let asking = machine.ask(question, as: waiter)
        if case .began(let run) = asking { return run }
        Issue.record("No run began: \(asking)")
        return 0
    }

    private func cycle(_ asking: GateStateMachine<Token, Token>.Asking) -> [String]? {
        if case .cycle(let boards) = asking { boards.map(\.name) } else { nil }
    }

    // MARK: Exemption

    @Test(.rule("B69")) func `work skips the question that is open and no other question`() {
        let rule = Token()
        let work = machine.purpose(ofBoardFor: begin(question(1, by: rule)))
        #expect(machine.isExempt(from: question(1, by: rule), for: Token(for: work)))
        #expect(!machine.isExempt(from: question(2, by: rule), for: Token(for: work)))
        #expect(!machine.isExempt(from: question(1, by: Token()), for: Token(for: work)))
        #expect(!machine.isExempt(from: logIn, for: Token(for: work)))
        #expect(!machine.isExempt(from: question(1, by: rule), for: Token()))
    }

    @Test(.rule("B69")) func `work skips a question until it is decided`() {
        let run = begin(logIn, as: one)
        let work = machine.purpose(ofBoardFor: run)
        machine.close(run)
        #expect(machine.isExempt(from: logIn, for: Token(for: work)))
        #expect(machine.decide(run, for: [one]) != nil)
        #expect(!machine.isExempt(from: logIn, for: Token(for: work)))
        #expect(machine.union(work, nil) == nil)
    }

    @Test(.rule("B69", "B56")) func `the gates in front of a scope are always asked`() {
        let work = machine.purpose(ofBoardFor: begin(logIn))
        let scope = GateQuestion(kind: .scope, board: AnyBoardID(.session), at: third)
        let entering = begin(scope, as: Token(for: work))
        #expect(!machine.isExempt(from: logIn, for: Token(asker: entering, for: work)))
        let asking = machine.ask(logIn, as: Token(asker: entering, for: work))
        #expect(cycle(asking) == ["login", "session", "login"])
    }

    // MARK: Cycles

    @Test(.rule("B69", "B49")) func `a run that waits for the work of its own answer is a cycle`() {
        let first = begin(logIn)
        let second = begin(question(1, by: one), as: Token(asker: first))
        let asking = machine.ask(logIn, as: Token(asker: second))
        #expect(cycle(asking) == ["login", "confirm", "login"])
        let work = machine.purpose(ofBoardFor: second)
        #expect(cycle(machine.ask(logIn, as: Token(for: work))) == ["login", "confirm", "login"])
    }

    @Test(.rule("B49")) func `questions whose work waits for each other are a cycle`() {
        let (first, second, last) = (begin(logIn), begin(question(1, by: one)), begin(question(2, by: one)))
        let works = [first, second, last].map { machine.purpose(ofBoardFor: $0) }
        let waitingForSecond = Token(for: works[0])
        #expect(machine.ask(question(1, by: one), as: waitingForSecond).run == second)
        #expect(machine.ask(question(2, by: one), as: Token(for: works[1])).run == last)
        let asking = machine.ask(logIn, as: Token(for: works[2]))
        #expect(cycle(asking) == ["login", "confirm", "confirm", "login"])
        // The work of the first question no longer waits for the second one.
        #expect(machine.leave(second, waitingForSecond) == nil)
        #expect(machine.ask(logIn, as: Token(for: works[2])).run == first)
    }

    @Test(.rule("B49")) func `work that waits where a waiting gate board is needed is a cycle`() {
        let (first, second) = (begin(logIn), begin(question(1, by: one)))
        // The gate board of the first question waits for the second one.
        #expect(machine.ask(question(1, by: one), as: Token(asker: first)).run == second)
        let work = machine.purpose(ofBoardFor: second)
        #expect(cycle(machine.ask(logIn, as: Token(for: work))) == ["login", "confirm", "login"])
    }

    @Test(.rule("B69")) func `questions that cannot be compared are a cycle if one leads to another`() {
        let first = begin(question(1, by: one, isComparable: false))
        let work = machine.purpose(ofBoardFor: first)
        let next = question(2, by: one, isComparable: false)
        #expect(!machine.isExempt(from: next, for: Token(for: work)))
        #expect(cycle(machine.ask(next, as: Token(for: work))) == ["confirm", "confirm"])
        #expect(cycle(machine.ask(next, as: Token())) == nil)
        let otherRule = question(1, by: other, isComparable: false)
        #expect(cycle(machine.ask(otherRule, as: Token(for: work))) == nil)
    }

    @Test(.rule("B69", "B49"), arguments: [true, false]) func `a chain of ever new questions ends`(isWork: Bool) {
        var (run, input) = (begin(question(0, by: one)), UInt64(0))
        while input < 10_000 {
            input += 1
            let asker = isWork ? Token(for: machine.purpose(ofBoardFor: run)) : Token(asker: run)
            switch machine.ask(question(input, by: one), as: asker) {
            case .began(let next): run = next
            case .joined: Issue.record("A question was joined.")
            case .cycle(let boards):
                #expect(boards.map(\.name) == ["confirm", "confirm"])
                #expect(machine.runs.count == GateStateMachine<Token, Token>.longestChain)
                return
            }
        }
        Issue.record("The chain does not end.")
    }

    @Test(.rule("B69", "B83"))
    func `a chain of questions may go on if each ends when the next is open, and its purpose does not grow`() {
        var run = begin(question(0, by: one))
        for input in 1...UInt64(3 * GateStateMachine<Token, Token>.longestChain) {
            let work = machine.union(machine.purpose(ofBoardFor: run), nil)
            #expect([UInt64](work) == [run])
            let next = begin(question(input, by: one), as: Token(for: work))
            #expect(machine.end(run) != nil)
            run = next
        }
        #expect(machine.runs.map(\.number) == [run])
    }

    // MARK: Purposes

    @Test(.rule("B83")) func `a purpose has one node for each level, and levels share their nodes`() {
        var hosts: [Purpose] = []
        for level in 0..<UInt64(60) {
            // As on a nested motherboard: the work of the innermost board, inside all boards.
            let around = hosts.reduce(nil as Purpose?) { machine.union($1, $0) }
            #expect(around === hosts.last)
            let cause = machine.union(hosts.last, around)
            #expect(cause === hosts.last)
            hosts.append(machine.purpose(ofBoardFor: begin(question(level, by: one), as: Token(for: cause))))
            #expect(Array(hosts.last).count == Int(level) + 1)
        }
    }

    @Test(.rule("B83", "B49")) func `a purpose contains the runs of all causes once, latest first`() {
        let runs = (0..<UInt64(4)).map { begin(question($0, by: one)) }
        let left = Purpose(runs[3], then: Purpose(runs[1], then: Purpose(runs[0], then: nil)))
        let right = Purpose(runs[2], then: Purpose(runs[1], then: nil))
        #expect(Array(machine.union(left, right)) == runs.reversed())
        #expect(Array(machine.union(right, left)) == runs.reversed())
        _ = machine.end(runs[3])
        _ = machine.end(runs[1])
        #expect(Array(machine.union(left, right)) == [runs[2], runs[0]])
    }

    // MARK: The end of a wait

    @Test(.rule("B50")) func `the last activation that gives up ends what was made for the question`() {
        let run = begin(logIn, as: one)
        #expect(machine.ask(logIn, as: other).run == run)
        machine.begin(asking: login, for: run, isMade: true)
        #expect(machine.leave(run, one) == nil)
        #expect(machine.isOpen(run))
        #expect(machine.leave(run, other).map { $0.cancelled === login } == true)
        #expect(!machine.hasRuns)
    }

    @Test(.rule("B50")) func `a gate board that still waits gives up with the last activation`() {
        let run = begin(logIn, as: one)
        machine.begin(waiting: third, for: run)
        guard case .giveUp(let waiter)? = machine.leave(run, one) else {
            Issue.record("The gate board does not give up.")
            return
        }
        #expect(waiter === third)
    }

    @Test(.rule("B32", "B82")) func `only another purpose supersedes a question`() {
        let run = begin(logIn, as: one)
        machine.begin(asking: login, for: run, isMade: true)
        let own = machine.supersede(run, by: Purpose(99, then: machine.purpose(ofBoardFor: run)))
        #expect(own.denied.isEmpty)
        #expect(own.staysOpen)
        #expect(machine.ask(logIn, as: other).run == run)
        let others = machine.supersede(run, by: nil)
        #expect(others.denied.map(ObjectIdentifier.init) == [one, other].map(ObjectIdentifier.init))
        #expect(!others.staysOpen)
        #expect(machine.ask(logIn, as: third).run != run)
    }

    @Test(.rule("B32", "B73")) func `entrants stay when their entrance is superseded, and no longer own it`() {
        let run = begin(logIn, as: one)
        let entrant = Token(isEntrant: true)
        _ = machine.ask(logIn, as: entrant)
        machine.begin(asking: login, for: run, isMade: true)
        let (denied, staysOpen) = machine.supersede(run, by: nil)
        #expect(denied.map(ObjectIdentifier.init) == [ObjectIdentifier(one)])
        #expect(staysOpen)
        #expect(machine.decide(run, for: [one]) == nil)
        #expect(machine.leave(run, entrant) == nil)
        #expect(!machine.hasRuns)
    }
}

extension GateStateMachine.Asking {
    fileprivate var run: UInt64? {
        switch self {
        case .joined(let run), .began(let run): run
        case .cycle: nil
        }
    }
}

extension GateStateMachine.Effect {
    fileprivate var cancelled: Board? {
        if case .cancel(let board) = self { board } else { nil }
    }
}

extension [UInt64] {
    /// The numbers of the runs in a purpose.
    init(_ purpose: Purpose?) {
        self = []
        var next = purpose
        while let purpose = next {
            append(purpose.run)
            next = purpose.rest
        }
    }
}
