import TestSupport
import Testing

@testable import Backplane

@MainActor
struct CombinedFlowTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    init() {
        for id in [BoardID<Numbers>.first, .second, .third] { motherboard.probe(id) { $0.send($1) } }
        motherboard.probe(.figures) { $0.send($1) }
        motherboard.probe(.words) { $0.send($1) }
    }

    @discardableResult
    private func combineTwo(_ strategy: CombineStrategy) -> Registration {
        motherboard.registerCombinedFlow(.first, .words, strategy: strategy) { [journal] _, number, word in
            journal.note("\(number) \(word)")
        }
    }

    // MARK: Batch

    @Test(.rule("B19")) func `a batch fires once for each complete set and then starts again`() {
        combineTwo(.batch)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["1 a"])
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"], "the number belongs to the previous set")
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["1 a", "2 b"])
    }

    @Test(.rule("B19")) func `the default strategy is batch`() {
        motherboard.registerCombinedFlow(.first, .words) { [journal] _, number, word in
            journal.note("\(number) \(word)")
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"])
    }

    @Test(.rule("B19"), arguments: [CombineStrategy.batch, .latest])
    func `the last value of a board wins`(strategy: CombineStrategy) {
        combineTwo(strategy)
        for number in 1...3 { motherboard.activate(.first, with: number) }
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["3 a"])
    }

    @Test(.rule("B19")) func `boards of a batch may complete after their outputs`() {
        combineTwo(.batch)
        motherboard.activate(.first, with: 1).complete()
        motherboard.activate(.words, with: "a").complete()
        #expect(journal.lines == ["1 a"])
    }

    @Test(.rule("B19"), arguments: [Completion.cancelled, .failed(Oops())])
    func `a batch starts again when one of its boards is cancelled or fails`(completion: Completion) {
        combineTwo(.batch)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.first, with: 2)
        motherboard.complete(.words, completion)
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"], "the end of one board discards the other board's value")
        motherboard.activate(.first, with: 3)
        #expect(journal.lines == ["1 a", "3 b"])
    }

    // MARK: Latest

    @Test(.rule("B19")) func `the latest strategy fires at each output once every board has sent a value`() {
        combineTwo(.latest)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.words, with: "b")
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["1 a", "1 b", "2 b"])
    }

    @Test(.rule("B62"), arguments: [Completion.done, .cancelled, .failed(Oops())])
    func `the latest strategy discards only the value of the board that ended`(completion: Completion) {
        combineTwo(.latest)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.complete(.first, completion)
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"])
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["1 a", "2 b"])
    }

    // MARK: Number and types of boards

    @Test(.rule("B19")) func `a combined flow takes three boards`() {
        motherboard.registerCombinedFlow(.first, .words, .figures) { [journal] _, number, word, figure in
            journal.note("\(number) \(word) \(figure)")
        }
        motherboard.activate(.figures, with: 3)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["1 a 3"])
    }

    @Test(.rule("B19")) func `a combined flow takes five boards and passes their values in the order of the IDs`() {
        motherboard.registerCombinedFlow(.first, .second, .third, .figures, .words, strategy: .latest) {
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

    @Test(.rule("B19")) func `values are kept by board ID and not by type`() {
        motherboard.registerCombinedFlow(.first, .second) { [journal] _, first, second in
            journal.note("\(first) \(second)")
        }
        motherboard.activate(.second, with: 2)
        motherboard.activate(.second, with: 3)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["1 3"])
    }

    @Test(.rule("B19")) func `two boards of one ID count as one board`() {
        motherboard.register(.first, reuse: .perActivation, replacing: true) { slot in
            ProbeBoard(slot: slot) { $0.send($1) }
        }
        combineTwo(.batch)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["2 a"])
    }

    // MARK: Order, removal, lifetime

    @Test(.rule("B19")) func `the handler receives its motherboard`() {
        motherboard.registerCombinedFlow(.first, .words) { [unowned motherboard, journal] given, _, _ in
            journal.note(given === motherboard ? "same" : "other")
            given.activate(.second, with: 5)
        }
        motherboard.registerFlow(from: .second) { [journal] output, _ in journal.note("\(output)") }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["same", "5"])
    }

    @Test(.rule("B19")) func `an output that the handler causes belongs to the next set`() {
        motherboard.registerCombinedFlow(.first, .words) { [journal] motherboard, number, word in
            journal.note("\(number) \(word)")
            if number == 1 { motherboard.activate(.first, with: 2) }
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["1 a"])
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a", "2 b"])
    }

    @Test(.rule("B19")) func `a combined flow runs in registration order among the flows of each board`() {
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("before") }
        combineTwo(.latest)
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("after") }
        motherboard.activate(.words, with: "a")
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["before", "1 a", "after"])
    }

    @Test(.rule("B19")) func `a removed combined flow receives no outputs and releases its captured objects`() {
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

    private enum Parcels: BoardContract {
        typealias Input = Journal
        typealias Output = Journal
    }

    @Test(.rule("B19")) func `a batch releases its values after the handler has received them`() {
        let parcels = BoardID<Parcels>("parcels")
        motherboard.probe(parcels) { $0.send($1) }
        motherboard.registerCombinedFlow(parcels, .first) { [journal] _, _, _ in journal.note("fired") }
        weak var parcel: Journal?
        do {
            let sent = Journal()
            parcel = sent
            motherboard.activate(parcels, with: sent)
        }
        #expect(parcel != nil)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["fired"])
        #expect(parcel == nil)
    }

    @Test(.rule("B74"), arguments: [CombineStrategy.batch, .latest], [true, false])
    func `a weak combined flow leaves with its target, and with the values that it keeps`(
        strategy: CombineStrategy,
        ends: Bool
    ) {
        let parcels = BoardID<Parcels>("parcels")
        motherboard.probe(parcels) { $0.send($1) }
        var target: Journal? = Journal()
        weak var parcel: Journal?
        do {
            let sent = Journal()
            parcel = sent
            if let target {
                motherboard.registerCombinedFlow(parcels, .first, .third, strategy: strategy, weak: target) {
                    target,
                    _,
                    _,
                    _ in target.note("fired")
                }
            }
            motherboard.activate(parcels, with: sent)
        }
        motherboard.activate(.third, with: 0)
        target = nil
        #expect(parcel != nil)
        if ends { motherboard.complete(.third) } else { motherboard.activate(.first, with: 1) }
        #expect(parcel == nil)
        #expect(motherboard.entry(for: parcels).outputFlows.isEmpty)
        #expect(motherboard.entry(for: .first).outputFlows.isEmpty)
        #expect(motherboard.entry(for: .third).outputFlows.isEmpty)
    }

    @Test(.rule("B19"), arguments: [true, false])
    func `a completed or released motherboard releases the kept values`(completes: Bool) {
        weak var parcel: Journal?
        weak var captured: Journal?
        var motherboard: Motherboard? = Motherboard()
        do {
            let parcels = BoardID<Parcels>("parcels")
            let capturing = Journal()
            let sent = Journal()
            captured = capturing
            parcel = sent
            motherboard?.probe(parcels) { $0.send($1) }
            motherboard?.registerCombinedFlow(parcels, .first) { _, _, _ in capturing.note("fired") }
            motherboard?.activate(parcels, with: sent)
        }
        #expect(parcel != nil)
        #expect(captured != nil)
        if completes { motherboard?.complete() } else { motherboard = nil }
        #expect(parcel == nil)
        #expect(captured == nil)
    }

    @Test(.rule("B19")) func `a combined flow receives no outputs from boards inside another board`() {
        combineTwo(.batch)
        motherboard.probe(BoardID<Doorkeeper>.doorkeeper) { board, _ in
            board.inner.activate(.first, with: 1)
            board.inner.activate(.words, with: "a")
        }
        motherboard.activate(.doorkeeper)
        #expect(journal.lines.isEmpty)
    }
}
