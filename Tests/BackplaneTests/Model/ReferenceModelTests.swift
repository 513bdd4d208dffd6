import Backplane
import TestSupport
import Testing

/// Tests of the reference model itself, with journals that are written by hand from the rules.
///
/// Motherboard 0 is the root. Boards, flows and handles are numbered in the order of their
/// creation.
struct ReferenceModelTests {
    // MARK: Questions and answers

    // B32: Each question has its own run, and the first run is answered while the second waits.
    @Test func `an answer to one question opens nothing for an activation that asked another question`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: .still, .b: .still,
                .c: Plan(reuse: .shared, whenActivated: [[.send(0)], []]),
                .d: .activating(.next(.a, 0), .next(.b, 0)),
            ],
            .set(.a, by: .c, 0),
            .set(.b, by: .c, 1),
            .activate(.d, 0),
            .answer(.c)
        )
        #expect(
            happenings == [
                "d made as 0", "0 activated with 0",
                "a waits at c", "c made as 1", "1 activated with 0", "handle 0 waiting",
                "b waits at c", "c made as 2", "2 activated with 1", "handle 1 waiting",
                "1 ended done", "c opens for a", "a made as 3", "3 activated with 0", "handle 2 active",
                "2 ended done", "c opens for b", "b made as 4", "4 activated with 0",
            ]
        )
    }

    @Test(.rule("B32")) func `another activation of a gate board with input does not answer for waiting activations`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .c: .still],
            .set(.a, by: .c, 0),
            .activate(.a, 1),
            .activate(.c, 1),
            .answer(.c),
            .look(0),
            .answer(.c, back: 1)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "c made as 1", "1 activated with 1", "handle 1 active",
                "unhandledOutput c",
                "handle 0 waiting",
                "0 ended done", "c opens for a", "a made as 2", "2 activated with 1",
            ]
        )
    }

    // B32: The first output precedes the other activation, and the second output follows it.
    @Test func `another activation of a shared gate board supersedes its run behind the earlier outputs`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: .still, .b: .still,
                .c: Plan(reuse: .shared, whenTold: [[.tell(.void, 0), .next(.void, 0), .tell(.void, 0)]]),
                .void: Plan(reuse: .shared, whenActivated: [[]], whenTold: [[.send(0)]]),
            ],
            .activate(.c, 0),
            .set(.a, by: .void, judging: [.open]),
            .set(.b, by: .void, judging: [.undecided]),
            .activate(.a, 0),
            .activate(.b, 0),
            .tell(.c, 0),
            .look(2)
        )
        #expect(
            happenings == [
                "c made as 0", "0 activated with 0", "handle 0 active",
                "a waits at void", "void made as 1", "1 activated with 0", "handle 1 waiting",
                "b waits at void", "handle 2 waiting",
                "0 told 0", "1 told 0", "answer delivered(1)",
                "1 activated with 0", "handle 3 active",
                "1 told 0", "answer delivered(1)",
                "void opens for a", "a made as 2", "2 activated with 0",
                "void denies b",
                "unhandledOutput void", "answer delivered(1)",
                "handle 2: b by void gateSuperseded",
            ]
        )
    }

    // B82: The sign-in leads to a reset of the password, which leads back to the sign-in.
    @Test func `a detour of a shared gate board does not deny its waiters`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: .still, .void: .still,
                .c: Plan(reuse: .shared, whenTold: [[.next(.void, 0), .end(.done)]]),
            ],
            .set(.a, by: .void),
            .activate(.a, 0),
            .asLatest(.void, back: 0, .next(.c, 0)),
            .tell(.c, 0),
            .answer(.void)
        )
        #expect(
            happenings == [
                "a waits at void", "void made as 0", "0 activated with 0", "handle 0 waiting",
                "c made as 1", "1 activated with 0", "handle 1 active",
                "1 told 0", "0 activated with 0", "handle 2 active", "1 ended done", "answer delivered(1)",
                "void opens for a", "a made as 2", "2 activated with 0",
            ]
        )
    }

    // B32: A gate board without input has one run, and each waiter is judged by its own gate.
    @Test func `two gates share a gate board without input`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .still, .void: .still],
            .set(.a, by: .void, judging: [.undecided, .open]),
            .set(.b, by: .void, judging: [.open]),
            .set(.c, by: .void, judging: [.closed]),
            .activate(.a, 0),
            .activate(.b, 0),
            .activate(.c, 0),
            .answer(.void, 0),
            .answer(.void, 1)
        )
        #expect(
            happenings == [
                "a waits at void", "void made as 0", "0 activated with 0", "handle 0 waiting",
                "b waits at void", "handle 1 waiting", "c waits at void", "handle 2 waiting",
                "void opens for b", "b made as 1", "1 activated with 0", "void denies c",
                "void opens for a", "a made as 2", "2 activated with 0",
            ]
        )
    }

    @Test(.rule("B32", "B47")) func `equal questions of one gate share a run, and different questions do not`() {
        let happenings = ReferenceModel.happenings(
            [.a: Plan(reuse: .perActivation), .c: .still],
            .set(.a, by: .c, asking: [1, 2, 1, nil]),
            .activate(.a, 0),
            .activate(.a, 1),
            .activate(.a, 2),
            .activate(.a, 3),
            .answer(.c, back: 1)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 1", "handle 0 waiting",
                "a waits at c", "c made as 1", "1 activated with 2", "handle 1 waiting",
                "a waits at c", "handle 2 waiting",
                // `nil` asks nothing.
                "a made as 2", "2 activated with 3", "handle 3 active",
                "0 ended done", "c opens for a", "a made as 3", "3 activated with 0",
                "c opens for a", "a made as 4", "4 activated with 2",
            ]
        )
    }

    // B32: A closed verdict also answers the question.
    @Test func `a gate board that serves one run completes when no waiter is undecided`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .c: .still],
            .draw(.completion(.c, tellsActivation: false, routine: 0)),
            .set(.a, by: .c, 0, judging: [.closed, .undecided]),
            .activate(.a, 0),
            .answer(.c, 1),
            .answer(.c, 0)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "0 ended done", "c denies a", "flow 0 hears done of a board on 0",
            ]
        )
    }

    @Test(.rule("B66")) func `a gate with a true condition asks nothing`() {
        let happenings = ReferenceModel.happenings(
            [.a: Plan(reuse: .perActivation), .c: .answering],
            .set(.a, by: .c, 0, unless: 0),
            .activate(.a, 0),
            .use(.flip(condition: 0)),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0",
                "0 ended done", "c opens for a", "a made as 1", "1 activated with 0", "handle 0 active",
                "a made as 2", "2 activated with 0", "handle 1 active",
            ]
        )
    }

    // MARK: Several gates

    // B31: From the root inward, general gates come before the board's own gates.
    @Test func `the gates of a board are asked in order`() {
        let happenings = ReferenceModel.happenings(
            [.a: .answering, .b: .answering, .c: .answering, .void: .answering, .d: .still],
            .activate(.d, 0),
            .inside(.d, .set(.d, by: .void)),
            .inside(.d, .set(nil, by: .b, except: [.a, .c, .void])),
            .set(.d, by: .c),
            .set(nil, by: .a, except: [.b, .c, .void]),
            .inside(.d, .activate(.d, 1))
        )
        // The gate boards are entered on the home of their gates, where they have no other gate.
        #expect(
            happenings == [
                "d made as 0", "0 activated with 0", "handle 0 active",
                "d waits at a", "a made as 1", "1 activated with 0",
                "1 ended done", "a opens for d",
                "d waits at b", "b made as 2", "2 activated with 0",
                "2 ended done", "b opens for d",
                "d waits at c", "c made as 3", "3 activated with 0",
                "3 ended done", "c opens for d",
                "d waits at void", "void made as 4", "4 activated with 0",
                "void opens for d", "d made as 5", "5 activated with 1", "handle 1 active",
            ]
        )
    }

    // B31: The board of the first gate is not behind the second gate, but the board of the second
    // gate is behind the first gate.
    @Test func `two general gates do not form a cycle`() {
        let happenings = ReferenceModel.happenings(
            [.a: .answering, .b: .answering, .d: .still],
            .set(nil, by: .a),
            .set(nil, by: .b),
            .activate(.d, 0)
        )
        #expect(
            happenings == [
                "d waits at a", "a made as 0", "0 activated with 0", "0 ended done", "a opens for d",
                "d waits at b", "b waits at a", "a made as 1", "1 activated with 0",
                "1 ended done", "a opens for b", "b made as 2", "2 activated with 0",
                "2 ended done", "b opens for d", "d made as 3", "3 activated with 0", "handle 0 active",
            ]
        )
    }

    @Test(.rule("B31")) func `a gate that is added or replaced during a wait is asked too`() {
        let happenings = ReferenceModel.happenings(
            [.a: .answering, .b: .still, .c: .still, .d: .still],
            .set(.d, by: .a),
            .set(.d, by: .b),
            .activate(.d, 0),
            .set(.d, by: .c),
            .set(.d, by: .a),
            .answer(.b),
            .answer(.c)
        )
        #expect(
            happenings == [
                "d waits at a", "a made as 0", "0 activated with 0", "0 ended done", "a opens for d",
                "d waits at b", "b made as 1", "1 activated with 0", "handle 0 waiting",
                // The replacement of the first gate keeps its place, so it comes first.
                "1 ended done", "b opens for d", "d waits at a", "a made as 2", "2 activated with 0",
                "2 ended done", "a opens for d", "d waits at c", "c made as 3", "3 activated with 0",
                "3 ended done", "c opens for d", "d made as 4", "4 activated with 0",
            ]
        )
    }

    // B48: The gate board is made on the root, once for both activations.
    @Test func `nested motherboards share the gate board of an outer gate`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .void: .still],
            .activate(.b, 0),
            .set(.a, by: .void),
            .draw(.handler([.void], routine: 0)),
            .inside(.b, .activate(.a, 1)),
            .activate(.a, 2),
            .answer(.void)
        )
        #expect(
            happenings == [
                "b made as 0", "0 activated with 0", "handle 0 active",
                "a waits at void", "void made as 1", "1 activated with 0", "handle 1 waiting",
                "a waits at void", "handle 2 waiting",
                "flow 0 hears 0 on 0",
                "void opens for a", "a made as 2", "2 activated with 1",
                "void opens for a", "a made as 3", "3 activated with 2",
            ]
        )
    }
}
