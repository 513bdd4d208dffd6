import Backplane
import TestSupport
import Testing

/// Tests of the work of gate boards, and of cycles of gates, in the reference model.
struct ReferenceModelCycleTests {
    // MARK: Acting for a run

    // B49: The work includes siblings, boards inside at any depth, and boards that the flow of the
    // answer activates.
    @Test func `a gate does not stop the work that leads to the answer of its gate board`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: .still, .b: .still,
                .c: .activating(.inside(.activate(.b, 1))),
                .d: .still,
                .void: .activating(.next(.a, 0), .inside(.activate(.c, 0)), .send(2)),
            ],
            .draw(.steps([.void, .b])),
            .set(nil, by: .void),
            .activate(.d, 0)
        )
        #expect(
            happenings == [
                "d waits at void", "void made as 0", "0 activated with 0",
                "a made as 1", "1 activated with 0", "handle 0 active",
                "c made as 2", "2 activated with 0",
                "b made as 3", "3 activated with 1", "handle 1 active", "handle 2 active",
                "b made as 4", "4 activated with 2",
                "void opens for d", "d made as 5", "5 activated with 0", "handle 3 active",
            ]
        )
    }

    @Test(.rule("B49")) func `a gate does not stop handlers of an action of its gate board`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .d: .still, .void: .activating(.action(.flare, 1))],
            routines: [[.activate(.a, 0)]],
            .draw(.general(.flare, nil, routine: 0)),
            .set(nil, by: .void),
            .activate(.d, 0)
        )
        #expect(
            happenings == [
                "d waits at void", "void made as 0", "0 activated with 0",
                "flow 0 hears action 1 on 0", "a made as 1", "1 activated with 0", "handle 0 active",
                "handle 1 waiting",
            ]
        )
    }

    @Test(.rule("B49")) func `a gate stops the work of its gate board again when no activation waits any longer`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .d: .still, .void: .still],
            .set(nil, by: .void),
            .activate(.d, 0),
            .asLatest(.void, back: 0, .next(.a, 0)),
            .answer(.void),
            .asLatest(.void, back: 0, .next(.b, 0))
        )
        #expect(
            happenings == [
                "d waits at void", "void made as 0", "0 activated with 0", "handle 0 waiting",
                "a made as 1", "1 activated with 0", "handle 1 active",
                "void opens for d", "d made as 2", "2 activated with 0",
                "b waits at void", "0 activated with 0", "handle 2 waiting",
            ]
        )
    }

    // B49: A board acts for the runs of its own latest activation.
    @Test func `a gate stops a board that only receives a command from the gate board`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: Plan(reuse: .shared, whenTold: [[.next(.b, 0)]]),
                .b: .still, .d: .still,
                .void: .activating(.tell(.a, 0)),
            ],
            .activate(.a, 0),
            .set(nil, by: .void),
            .activate(.d, 0),
            .answer(.void)
        )
        #expect(
            happenings == [
                "a made as 0", "0 activated with 0", "handle 0 active",
                "d waits at void", "void made as 1", "1 activated with 0", "0 told 0",
                "b waits at void", "handle 1 waiting", "answer delivered(1)", "handle 2 waiting",
                "void opens for d", "d made as 2", "2 activated with 0",
                "void opens for b", "b made as 3", "3 activated with 0",
            ]
        )
    }

    // B49: The front of the second gate acts for the run of the first gate, too.
    @Test func `a sibling's gate board is exempt from the gate whose gate board activates the sibling`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .c: .still, .d: .still, .void: .activating(.next(.a, 0))],
            .set(nil, by: .void),
            .set(.a, by: .c),
            .activate(.d, 0),
            .answer(.c)
        )
        #expect(
            happenings == [
                "d waits at void", "void made as 0", "0 activated with 0",
                "a waits at c", "c made as 1", "1 activated with 0", "handle 0 waiting", "handle 1 waiting",
                "1 ended done", "c opens for a", "a made as 2", "2 activated with 0",
            ]
        )
    }

    // MARK: Cycles

    @Test(.rule("B49")) func `two boards that are the gate boards of each other are denied`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still],
            .set(.a, by: .b),
            .set(.b, by: .a),
            .draw(.denial(routine: 0)),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at b", "b waits at a", "a waits at b", "b denies a", "a denies b", "b denies a",
                // Denial flows do not receive the denials of gate boards.
                "flow 0 hears a by b cycle b a b on 0", "handle 0: a by b cycle b a b",
            ]
        )
    }

    @Test(.rule("B49")) func `a board that is its own gate board is denied`() {
        let happenings = ReferenceModel.happenings([.a: .still], .set(.a, by: .a), .activate(.a, 0))
        #expect(
            happenings == ["a waits at a", "a waits at a", "a denies a", "a denies a", "handle 0: a by a cycle a a"]
        )
    }

    // B49: b would wait for the board of void. That board waits for c, and c activates b.
    @Test func `a waiter that a waiting run needs cannot join that run`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .activating(.next(.b, 0)), .void: .still],
            .set(.void, by: .c),
            .set(.a, by: .void),
            .set(.b, by: .void),
            .activate(.a, 0),
            .answer(.c)
        )
        #expect(
            happenings == [
                "a waits at void", "void waits at c", "c made as 0", "0 activated with 0",
                "b waits at void", "void denies b", "handle 0: b by void cycle void c void", "handle 1 waiting",
                "0 ended done", "c opens for void", "void made as 1", "1 activated with 0",
            ]
        )
    }

    // B69: d asks c another question, and the new gate board of c is the work of b.
    @Test func `a gate board that waits for another board is asked another question by that board`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .activating(.next(.d, 0)), .c: .still, .d: .still],
            .set(.a, by: .c, 0),
            .set(.c, by: .b),
            .set(.d, by: .c, 1),
            .activate(.a, 0),
            .answer(.c)
        )
        #expect(
            happenings == [
                "a waits at c", "c waits at b", "b made as 0", "0 activated with 0",
                "d waits at c", "c made as 1", "1 activated with 1", "handle 0 waiting", "handle 1 waiting",
                "1 ended done", "c opens for d", "d made as 2", "2 activated with 0",
            ]
        )
    }

    // B69: b, which c waits for, asks the question of a.
    @Test func `a gate board that waits for another board is not asked the same question by that board`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .activating(.next(.a, 0)), .c: .still],
            .set(.a, by: .c, 0),
            .set(.c, by: .b),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at c", "c waits at b", "b made as 0", "0 activated with 0",
                "a waits at c", "c denies a", "handle 0: a by c cycle c b c", "handle 1 waiting",
            ]
        )
    }

    // B69: The cycle has the question that the work of c asks, too.
    @Test func `a cycle names the questions that the work of a gate board asks`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .activating(.next(.d, 0)), .d: .still, .void: .still],
            .set(.a, by: .void),
            .set(.void, by: .c),
            .set(.d, by: .b),
            .set(.b, by: .void),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at void", "void waits at c", "c made as 0", "0 activated with 0",
                "d waits at b", "b waits at void", "void denies b", "b denies d",
                "handle 0: d by b cycle void c b void", "handle 1 waiting",
            ]
        )
    }

    // B69: The gate boards need each other for different questions, and none of them twice.
    @Test func `gate boards that need each other for different questions are asked`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .answering, .c: .answering],
            .set(.a, by: .b, 0),
            .set(.b, by: .c, asking: [1, nil]),
            .set(.c, by: .b, 1),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at b", "b waits at c", "c waits at b", "b made as 0", "0 activated with 1",
                "0 ended done", "b opens for c", "c made as 1", "1 activated with 1",
                "1 ended done", "c opens for b", "b made as 2", "2 activated with 0",
                "2 ended done", "b opens for a", "a made as 3", "3 activated with 0", "handle 0 active",
            ]
        )
    }

    // B49, B10: The page that the fallback shows is behind the same gate.
    @Test func `a fallback for a gate board that is missing does not ask it again`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still],
            routines: [[.activate(.b, 0)]],
            .fallback(routine: 0),
            .set(nil, by: .void),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at void", "noSuchBoard void", "fallback 0 for void on 0",
                "b waits at void", "handle 0 waiting", "void denies a", "void denies b",
                "handle 1: a by void noSuchGate",
            ]
        )
    }

    // MARK: Denied gate boards

    @Test(.rule("B49", "B51")) func `waiters are denied when their gate board is denied by its own gate`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .answering],
            .draw(.denial(routine: 0)),
            .set(.a, by: .b),
            .set(.b, by: .c, judging: [.closed]),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at b", "b waits at c", "c made as 0", "0 activated with 0",
                "0 ended done", "c denies b", "b denies a",
                "flow 0 hears a by b gateDenied(b by c closed) on 0", "handle 0: a by b gateDenied(b by c closed)",
            ]
        )
    }

    @Test(.rule("B30", "B10")) func `a gate with an unregistered gate board denies`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still],
            .fallback(routine: 0),
            .set(.a, by: .b),
            .set(.b, by: .c),
            .activate(.a, 0),
            // No gate is asked in front of an unregistered board.
            .set(.d, by: .a),
            .activate(.d, 0)
        )
        #expect(
            happenings == [
                "a waits at b", "b waits at c", "noSuchBoard c", "fallback 0 for c on 0", "c denies b", "b denies a",
                "handle 0: a by b gateDenied(b by c noSuchGate)",
                "noSuchBoard d", "fallback 0 for d on 0", "handle 1 noSuchBoard",
            ]
        )
    }
}
