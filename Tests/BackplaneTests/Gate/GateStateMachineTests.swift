import TestSupport
import Testing

@testable import Backplane

/// The decisions about open questions, without boards.
struct GateStateMachineTests {
    private final class Token: GateAsking {
        let asker: UInt64
        let purpose: Purpose?
        let isEntrant = false

        init(asker: UInt64 = 0, for purpose: Purpose? = nil) {
            self.asker = asker
            self.purpose = purpose
        }
    }

    private let machine = GateStateMachine<Token, Token>()
    private let one = Token()
    private let other = Token()
    private let confirm = Token()

    private func question(_ input: UInt64, by rule: Token, isComparable: Bool = true) -> GateQuestion {
        var question = GateQuestion(kind: .own, board: AnyBoardID(.confirm), at: confirm)
        question.rule = ObjectIdentifier(rule)
        question.input = input
        question.isComparable = isComparable
        return question
    }

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

    // MARK: Cycles

    @Test(.rule("B69")) func `if questions cannot be compared and one leads to another, they are a cycle`() {
        let first = begin(question(1, by: one, isComparable: false))
        let work = machine.purpose(ofBoardFor: first)
        let next = question(2, by: one, isComparable: false)
        #expect(!machine.isExempt(from: next, for: Token(for: work)))
        #expect(cycle(machine.ask(next, as: Token(for: work))) == ["confirm", "confirm"])
        #expect(cycle(machine.ask(next, as: Token())) == nil)
        let otherRule = question(1, by: other, isComparable: false)
        #expect(cycle(machine.ask(otherRule, as: Token(for: work))) == nil)
    }

    @Test(.rule("B69", "B49"), arguments: [true, false])
    func `a chain of more and more new questions ends`(isWork: Bool) {
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
    func `a chain of questions that end may continue, and its purpose does not grow`() {
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

    @Test(.rule("B83")) func `the nodes of a purpose are shared between its levels`() {
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

    @Test(.rule("B83", "B49")) func `a purpose contains each cause once, the latest first`() {
        let runs = (0..<UInt64(4)).map { begin(question($0, by: one)) }
        let left = Purpose(runs[3], then: Purpose(runs[1], then: Purpose(runs[0], then: nil)))
        let right = Purpose(runs[2], then: Purpose(runs[1], then: nil))
        #expect(Array(machine.union(left, right)) == runs.reversed())
        #expect(Array(machine.union(right, left)) == runs.reversed())
        _ = machine.end(runs[3])
        _ = machine.end(runs[1])
        #expect(Array(machine.union(left, right)) == [runs[2], runs[0]])
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
