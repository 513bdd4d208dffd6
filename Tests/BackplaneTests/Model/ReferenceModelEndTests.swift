import Backplane
import TestSupport
import Testing

/// Tests of the ends of gate boards and of other boards in the reference model.
struct ReferenceModelEndTests {
    // MARK: Ends of gate boards

    // B32: The denial comes before completion flows and behind everything sent before.
    @Test(arguments: [(Ending.done, "gateDone"), (.cancelled, "gateCancelled"), (.failed, "gateFailed")])
    func `the end of a gate board denies its waiters`(ending: Ending, reason: String) {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .void: Plan(reuse: .shared, whenTold: [[.send(0), .end(ending), .send(0)]])],
            .set(.a, by: .void, judging: [.open]),
            .set(.b, by: .void, judging: [.undecided]),
            .draw(.completion(.void, tellsActivation: false, routine: 0)),
            .activate(.a, 0),
            .activate(.b, 0),
            .tell(.void, 0),
            .look(1)
        )
        #expect(
            happenings == [
                "a waits at void", "void made as 0", "0 activated with 0", "handle 0 waiting",
                "b waits at void", "handle 1 waiting",
                "0 told 0", "0 ended \(ending)", "droppedOutput void",
                "void opens for a", "a made as 1", "1 activated with 0",
                "void denies b", "flow 0 hears \(ending) of a board on 0", "answer delivered(1)",
                "handle 1: b by void \(reason)",
            ]
        )
    }

    // B51: The nearest motherboard with denial flows receives the denial.
    @Test func `a denial reaches the nearest motherboard with denial flows`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .answering],
            .set(.a, by: .c, judging: [.closed]),
            .draw(.denial(routine: 0)),
            .activate(.b, 0),
            .inside(.b, .activate(.a, 0)),
            .inside(.b, .draw(.denial(routine: 0))),
            .inside(.b, .draw(.denial(routine: 0))),
            .inside(.b, .activate(.a, 0))
        )
        #expect(
            happenings == [
                "b made as 0", "0 activated with 0", "handle 0 active",
                "a waits at c", "c made as 1", "1 activated with 0", "1 ended done", "c denies a",
                "flow 0 hears a by c closed on 0", "handle 1: a by c closed",
                "a waits at c", "c made as 2", "2 activated with 0", "2 ended done", "c denies a",
                "flow 1 hears a by c closed on 1", "flow 2 hears a by c closed on 1", "handle 2: a by c closed",
            ]
        )
    }

    // MARK: Ends of boards

    // B64: A board that ends during its creation is notified, too.
    @Test func `a board is notified of its end after the boards inside`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: Plan(reuse: .shared, whenActivated: [[.inside(.activate(.b, 0))]], whenEnded: [.send(0)]),
                .b: .still,
                .c: Plan(reuse: .shared, whileMade: [.end(.done)]),
            ],
            .draw(.completion(.a, tellsActivation: true, routine: 0)),
            .activate(.a, 0),
            .asLatest(.a, back: 0, .end(.done)),
            .activate(.c, 0)
        )
        #expect(
            happenings == [
                "a made as 0", "0 activated with 0", "b made as 1", "1 activated with 0",
                "handle 0 active", "handle 1 active",
                "1 ended cancelled", "0 ended done", "droppedOutput a", "flow 0 hears done of 1 on 0",
                "c made as 2", "2 ended done", "handle 2 done",
            ]
        )
    }

    // B64: The waiter of the gate receives the first failure. Nothing receives the second failure.
    @Test func `an unhandled failure raises an event`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .c: .still],
            .set(.a, by: .c),
            .activate(.a, 0),
            .asLatest(.c, back: 0, .end(.failed)),
            .activate(.c, 0),
            .asLatest(.c, back: 0, .end(.failed))
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "0 ended failed", "c denies a",
                "c made as 1", "1 activated with 0", "handle 1 active", "1 ended failed", "unhandledFailure c",
            ]
        )
    }

    @Test(.rule("B62")) func `the latest outputs of other boards outlive the end of a board`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still],
            .draw(.combined([.a, .b], .latest, routine: 0)),
            .activate(.a, 0),
            .activate(.b, 0),
            .answer(.a, 1),
            .answer(.b, 2),
            .asLatest(.b, back: 0, .end(.done)),
            .activate(.b, 0),
            .answer(.b, 3)
        )
        #expect(
            happenings == [
                "a made as 0", "0 activated with 0", "handle 0 active",
                "b made as 1", "1 activated with 0", "handle 1 active",
                "flow 0 hears [1, 2] on 0", "1 ended done",
                "b made as 2", "2 activated with 0", "handle 2 active",
                "flow 0 hears [1, 3] on 0",
            ]
        )
    }

    // B28: The component ends its own lifetime, with which the board is paired.
    @Test func `a board ends with a paired component that is kept for a window`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still],
            .activate(.a, 0),
            .asLatest(.a, back: 0, .keepPaired),
            .use(.endLifetime(Script.window))
        )
        #expect(happenings == ["a made as 0", "0 activated with 0", "handle 0 active", "0 ended cancelled"])
    }
}
