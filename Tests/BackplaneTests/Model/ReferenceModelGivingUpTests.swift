@testable import Backplane
import TestSupport
import Testing

/// Tests of waiters that give up, and of waits that end from outside, in the reference model.
struct ReferenceModelGivingUpTests {
    @Test(.rule("B50")) func `the gate board of a run is cancelled when the last waiter has left`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .c: .still],
            .set(.a, by: .c),
            .activate(.a, 0),
            .activate(.a, 1),
            .giveUp(handle: 0),
            .count(.c),
            .giveUp(handle: 1),
            .look(1),
            .answer(.c)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "a waits at c", "handle 1 waiting",
                "1 of c live", "0 ended cancelled", "handle 1 cancelled", "droppedOutput c",
            ]
        )
    }

    @Test(.rule("B50")) func `a gate board that was live before the run stays when the last waiter has left`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .void: .still],
            .set(.a, by: .void),
            .activate(.void, 0),
            .activate(.a, 0),
            .giveUp(handle: 1),
            .count(.void)
        )
        #expect(
            happenings == [
                "void made as 0", "0 activated with 0", "handle 0 active",
                "a waits at void", "0 activated with 0", "handle 1 waiting", "1 of void live",
            ]
        )
    }

    @Test(.rule("B50")) func `a gate board that waits at its own gate gives up with the last waiter`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .still],
            .set(.a, by: .b),
            .set(.b, by: .c),
            .activate(.a, 0),
            .giveUp(handle: 0)
        )
        #expect(
            happenings == [
                "a waits at b", "b waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "0 ended cancelled",
            ]
        )
    }

    // B50: The flow receives the output before the run judges it.
    @Test func `a waiter that gives up while its gate answers does not enter`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .c: .still],
            routines: [[.giveUp(handle: 0)]],
            .draw(.handler([.c], routine: 0)),
            .set(.a, by: .c),
            .activate(.a, 0),
            .answer(.c),
            .look(0)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "flow 0 hears 0 on 0", "0 ended cancelled", "handle 0 cancelled",
            ]
        )
    }

    @Test(.rule("B50")) func `completing an ID gives up the activations that wait under that ID`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .void: .still],
            .set(.a, by: .void),
            .set(.b, by: .void),
            .activate(.a, 0),
            .activate(.b, 0),
            .complete(.a, .done),
            .look(0),
            .answer(.void)
        )
        #expect(
            happenings == [
                "a waits at void", "void made as 0", "0 activated with 0", "handle 0 waiting",
                "b waits at void", "handle 1 waiting",
                "handle 0 cancelled",
                "void opens for b", "b made as 1", "1 activated with 0",
            ]
        )
    }

    // B50: The activation of b, which serves a, is completed from outside.
    @Test func `completing a gate board that waits at its own gate denies its waiters`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .still],
            .set(.a, by: .b),
            .set(.b, by: .c),
            .activate(.a, 0),
            .complete(.b, .done),
            .look(0)
        )
        #expect(
            happenings == [
                "a waits at b", "b waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "b denies a", "0 ended cancelled", "handle 0: a by b gateCancelled",
            ]
        )
    }

    @Test(.rule("B54")) func `completing all boards gives up the waiting activations and keeps the gates`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .still],
            .set(.a, by: .c),
            .activate(.b, 0),
            .activate(.a, 0),
            .completeAllBoards,
            .look(1),
            .activate(.a, 1)
        )
        #expect(
            happenings == [
                "b made as 0", "0 activated with 0", "handle 0 active",
                "a waits at c", "c made as 1", "1 activated with 0", "handle 1 waiting",
                "1 ended cancelled", "0 ended cancelled", "handle 1 cancelled",
                "a waits at c", "c made as 2", "2 activated with 0", "handle 2 waiting",
            ]
        )
    }

    // B50, B51: Denial flows do not receive denials with `ownerGone`.
    @Test func `the end of a motherboard denies the activations that wait there`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .void: .still],
            .draw(.denial(routine: 0)),
            .set(.a, by: .void),
            .activate(.b, 0),
            .activate(.a, 0),
            .endMotherboard,
            .look(1),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "b made as 0", "0 activated with 0", "handle 0 active",
                "a waits at void", "void made as 1", "1 activated with 0", "handle 1 waiting",
                "void denies a", "1 ended cancelled", "0 ended cancelled",
                "handle 1: a by void ownerGone", "handle 2 ownerGone",
            ]
        )
    }

    // B29, B33: The root is released while an activation waits.
    @Test func `a released motherboard denies the waiting activations`() {
        let script = Script(
            plans: [.still],
            entries: [.register(.a, plan: 0), .register(.c, plan: 0), .set(.a, by: .c), .activate(.a, 0)]
                .map { Script.Entry(motherboard: 0, operation: $0) }
        )
        let denial = Denial(of: Name.a.anyID, by: Name.c.anyID, .ownerGone)
        let journal = ReferenceModel.journal(of: script)
        let end = journal.firstIndex(of: .rootIsGone(true)) ?? 0
        #expect(
            journal[(end - 1)...].prefix(4) == [
                .state(handle: 0, .waiting, nil),
                .rootIsGone(true), .alive(boards: 0, components: 0),
                .state(handle: 0, .denied(denial), nil),
            ]
        )
    }
}
