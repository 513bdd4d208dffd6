import TestSupport
import Testing

@testable import Backplane

/// Flows that combine outputs: see also `ReferenceModel`.
@MainActor @Suite(.rule("B19"))
struct CombinedFlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        motherboard.echo(BoardID<Numbers>.first, .second, .third)
        motherboard.echo(BoardID<Figures>.figures)
        motherboard.echo(BoardID<Words>.words)
        motherboard.echo(BoardID<Diary>.diary)
    }

    @Test func `a batch, which is the default, fires once for each complete set and then starts again`() {
        motherboard.registerCombinedFlow(.first, .words) { [journal] motherboard, number, word in
            journal.note("\(number) \(word)")
            if number == 1 { motherboard.activate(.first, with: 2) }
        }
        motherboard.activate(.first, with: 0)
        motherboard.activate(.first, with: 1).complete()
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a").complete()
        #expect(journal.lines == ["1 a"], "the output that the handler causes belongs to the next set")
        motherboard.activate(.words, with: "b")
        motherboard.activate(.words, with: "c")
        #expect(journal.lines == ["1 a", "2 b"])
    }

    @Test(.rule("B62"), arguments: [Completion.done, .cancelled, .failed(Oops())])
    func `the latest strategy discards only the value of the board that ended`(completion: Completion) {
        motherboard.registerCombinedFlow(.first, .words, keepingLatest: true) { [journal] _, number, word in
            journal.note("\(number) \(word)")
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        for number in 2...3 {
            motherboard.complete(.first, completion)
            motherboard.activate(.words, with: "b")
            motherboard.activate(.first, with: number)
            motherboard.complete(.first, completion)
            motherboard.activate(.first, with: number * 10)
        }
        #expect(journal.lines == ["1 a", "2 b", "20 b", "3 b", "30 b"])
    }

    @Test func `a combined flow takes five boards and passes their values in the order of the IDs`() {
        motherboard.registerCombinedFlow(.first, .second, .third, .figures, .words, keepingLatest: true) {
            [journal] _, first, second, third, figure, word in
            journal.note("\(first) \(second) \(third) \(figure) \(word)")
        }
        motherboard.activate(.words, with: "a")
        motherboard.activate(.figures, with: 4)
        motherboard.activate(.third, with: 3)
        motherboard.activate(.second, with: 2)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.third, with: 30)
        #expect(journal.lines == ["1 2 3 4 a", "1 2 30 4 a"])
    }

    @Test func `a removed combined flow receives no outputs and releases its captured objects`() {
        let record = motherboard.observeEvents()
        weak var captured: Journal?
        do {
            let capturing = Journal()
            captured = capturing
            let token = motherboard.registerCombinedFlow(.first, .words) { _, _, _ in capturing.note("fired") }
            motherboard.activate(.first, with: 1)
            motherboard.remove(token)
            motherboard.activate(.words, with: "a")
            motherboard.activate(.first, with: 2)
            #expect(capturing.lines.isEmpty)
        }
        #expect(captured == nil)
        #expect(record.boards(.unhandledOutput) == ["words", "first"])
    }

    @Test func `a batch releases its values after the handler has received them`() {
        motherboard.registerCombinedFlow(.diary, .first) { [journal] _, _, _ in journal.note("fired") }
        weak var parcel: Journal?
        do {
            let sent = Journal()
            parcel = sent
            motherboard.activate(.diary, with: sent)
        }
        #expect(parcel != nil)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["fired"])
        #expect(parcel == nil)
    }

    @Test(.rule("B74"), arguments: [false, true], [true, false])
    func `a weak combined flow is removed with its target and its values`(
        keepsLatest: Bool,
        ends: Bool
    ) {
        var target: Journal? = Journal()
        weak var parcel: Journal?
        do {
            let sent = Journal()
            parcel = sent
            if let target {
                motherboard.registerCombinedFlow(.diary, .first, .third, keepingLatest: keepsLatest, weak: target) {
                    (_, _, _, _) in
                }
            }
            motherboard.activate(.diary, with: sent)
        }
        motherboard.activate(.third, with: 0)
        target = nil
        #expect(parcel != nil)
        if ends { motherboard.complete(.third) } else { motherboard.activate(.first, with: 1) }
        #expect(parcel == nil)
        #expect(motherboard.entry(for: .diary).outputFlows.isEmpty)
        #expect(motherboard.entry(for: .first).outputFlows.isEmpty)
        #expect(motherboard.entry(for: .third).outputFlows.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a completed or released motherboard releases the kept values`(completes: Bool) {
        weak var parcel: Journal?
        weak var captured: Journal?
        var motherboard: Motherboard? = Motherboard()
        do {
            let capturing = Journal()
            let sent = Journal()
            captured = capturing
            parcel = sent
            motherboard?.echo(BoardID<Diary>.diary)
            motherboard?.registerCombinedFlow(.diary, .first) { _, _, _ in capturing.note("fired") }
            motherboard?.activate(.diary, with: sent)
        }
        #expect(parcel != nil)
        #expect(captured != nil)
        if completes { motherboard?.complete() } else { motherboard = nil }
        #expect(parcel == nil)
        #expect(captured == nil)
    }
}
