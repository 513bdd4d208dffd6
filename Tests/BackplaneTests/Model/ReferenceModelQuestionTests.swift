import Backplane
import TestSupport
import Testing

/// Tests of the work of an open question in the reference model, which is asked the other questions
/// of its gate board.
struct ReferenceModelQuestionTests {
    // B69: "Delete the draft?" is open, and "Pay?" is another rule of the same board. The answer is
    // no.
    @Test func `work of one question is asked another question of the same gate board`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .still],
            .set(.a, by: .c, 0, judging: [.closed]),
            .set(.b, by: .c, 1),
            .draw(.steps([.c, .b])),
            .activate(.a, 0),
            .asLatest(.c, back: 0, .next(.b, 0)),
            .answer(.c, back: 1)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "b waits at c", "c made as 1", "1 activated with 1", "handle 1 waiting",
                // The flow joins the open question.
                "b waits at c", "0 ended done", "c denies a",
            ]
        )
    }

    // B69: Two inputs of one rule are two questions.
    @Test func `work of a dependent question is asked the question of another input`() {
        let happenings = ReferenceModel.happenings(
            [.a: Plan(reuse: .perActivation), .c: .still],
            .set(.a, by: .c, asking: [0, 1, 0]),
            .activate(.a, 0),
            .asLatest(.c, back: 0, .next(.a, 1)),
            // The same question as the open one, so it is skipped.
            .asLatest(.c, back: 1, .next(.a, 2))
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "a waits at c", "c made as 1", "1 activated with 1", "handle 1 waiting",
                "a made as 2", "2 activated with 2", "handle 2 active",
            ]
        )
    }

    // B69: Equal inputs of two rules are two questions.
    @Test func `work of one rule is asked the equal question of another rule`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .activating(.inside(.activate(.b, 0)))],
            .set(.a, by: .c, 0),
            .set(.b, by: .c, 0, judging: [.closed]),
            .activate(.a, 0),
            .answer(.c)
        )
        #expect(
            happenings == [
                "a waits at c", "c made as 0", "0 activated with 0",
                "b waits at c", "c made as 1", "1 activated with 0",
                // The board of the other question activates b, too, and skips its own gate.
                "b made as 2", "2 activated with 0", "handle 0 active", "handle 1 waiting", "handle 2 waiting",
                "2 ended cancelled", "1 ended done", "c denies b",
            ]
        )
    }

    // B32, B69: A gate without input is one question, whatever the rule.
    @Test func `work of a gate board without input skips every rule of that board`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .void: .activating(.next(.b, 0))],
            .set(.a, by: .void),
            .set(.b, by: .void, judging: [.closed]),
            .activate(.a, 0)
        )
        #expect(
            happenings == [
                "a waits at void", "void made as 0", "0 activated with 0",
                "b made as 1", "1 activated with 0", "handle 0 active", "handle 1 waiting",
            ]
        )
    }

    // B48, B69: The rule of the nested motherboard has a gate board of its own, so it is not the
    // same question.
    @Test func `work of a gate board without input is asked by the gate of another motherboard`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .d: .still, .void: .still],
            .activate(.d, 0),
            .inside(.d, .set(.b, by: .void)),
            .set(.a, by: .void),
            .inside(.d, .activate(.a, 0)),
            .asLatest(.void, back: 0, .use(.look(handle: 1))),
            .asLatest(.void, back: 0, .inside(.activate(.a, 1))),
            .asLatest(.void, back: 0, .next(.d, 1)),
            .asLatest(.d, back: 0, .inside(.activate(.b, 1)))
        )
        #expect(
            happenings == [
                "d made as 0", "0 activated with 0", "handle 0 active",
                "a waits at void", "void made as 1", "1 activated with 0", "handle 1 waiting", "handle 1 waiting",
                "a made as 2", "2 activated with 1", "handle 2 active",
                "0 activated with 1", "handle 3 active",
                "b waits at void", "void made as 3", "3 activated with 0", "handle 4 waiting",
            ]
        )
    }

    // B49: A waiter that joins later does not make the question the work of another one, but the
    // questions would wait for each other.
    @Test func `joining a question exempts the work of that question from nothing`() {
        let happenings = ReferenceModel.happenings(
            [.a: .still, .b: .still, .c: .still, .d: .still, .void: .still],
            .set(.a, by: .void),
            .set(.b, by: .c),
            .set(.d, by: .void),
            .activate(.b, 0),
            .activate(.a, 0),
            .asLatest(.void, back: 0, .next(.b, 1)),
            .asLatest(.c, back: 0, .next(.d, 0))
        )
        #expect(
            happenings == [
                "b waits at c", "c made as 0", "0 activated with 0", "handle 0 waiting",
                "a waits at void", "void made as 1", "1 activated with 0", "handle 1 waiting",
                "b waits at c", "handle 2 waiting",
                "d waits at void", "void denies d", "handle 3: d by void cycle void c void",
            ]
        )
    }

    // B32: The answer was sent before b asked.
    @Test func `an activation that asks after the end of the gate board is not let in by its answer`() {
        let happenings = ReferenceModel.happenings(
            [
                .a: .still, .b: .still,
                .d: Plan(reuse: .shared, whenTold: [[.tell(.void, 0), .next(.b, 0)]]),
                .void: Plan(reuse: .shared, whenTold: [[.send(0), .end(.done)]]),
            ],
            .activate(.d, 0),
            .set(.a, by: .void),
            .set(.b, by: .void),
            .activate(.a, 0),
            .tell(.d, 0)
        )
        #expect(
            happenings == [
                "d made as 0", "0 activated with 0", "handle 0 active",
                "a waits at void", "void made as 1", "1 activated with 0", "handle 1 waiting",
                "0 told 0", "1 told 0", "1 ended done", "answer delivered(1)",
                "b waits at void", "void made as 2", "2 activated with 0", "handle 2 waiting",
                "void opens for a", "a made as 3", "3 activated with 0", "answer delivered(1)",
            ]
        )
    }
}
