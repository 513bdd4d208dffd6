import Backplane
import TestSupport
import Testing

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
    private func combineTwo(_ strategy: CombineStrategy) -> FlowToken {
        motherboard.registerCombinedFlow(.first, .words, strategy: strategy) { [journal] _, number, word in
            journal.note("\(number) \(word)")
        }
    }

    // MARK: Batch

    @Test(.rule("B19")) func `a batch fires once for each full set, and then starts anew`() {
        combineTwo(.batch)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["1 a"])
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"], "the number belonged to the set before")
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["1 a", "2 b"])
    }

    @Test(.rule("B19")) func `batch is what is meant when nothing is said`() {
        motherboard.registerCombinedFlow(.first, .words) { [journal] _, number, word in
            journal.note("\(number) \(word)")
        }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"])
    }

    @Test(.rule("B19"), arguments: [CombineStrategy.batch, .latest])
    func `of one board the last value wins`(strategy: CombineStrategy) {
        combineTwo(strategy)
        for number in 1...3 { motherboard.activate(.first, with: number) }
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["3 a"])
    }

    @Test(.rule("B19")) func `boards of a batch may answer and end`() {
        combineTwo(.batch)
        motherboard.activate(.first, with: 1).complete()
        motherboard.activate(.words, with: "a").complete()
        #expect(journal.lines == ["1 a"])
    }

    @Test(.rule("B19"), arguments: [Completion.cancelled, .failed(Oops())])
    func `a batch starts anew when one of its boards ends as anything but done`(completion: Completion) {
        combineTwo(.batch)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.first, with: 2)
        motherboard.complete(.words, completion)
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"], "what the first board said went with the other's end")
        motherboard.activate(.first, with: 3)
        #expect(journal.lines == ["1 a", "3 b"])
    }

    // MARK: Latest

    @Test(.rule("B19")) func `latest fires at each output once there is one of each`() {
        combineTwo(.latest)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.words, with: "b")
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["1 a", "1 b", "2 b"])
    }

    @Test(.rule("B62"), arguments: [Completion.done, .cancelled, .failed(Oops())])
    func `latest forgets the value of the board that ended, however, and no other`(completion: Completion) {
        combineTwo(.latest)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.complete(.first, completion)
        motherboard.activate(.words, with: "b")
        #expect(journal.lines == ["1 a"])
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["1 a", "2 b"])
    }

    // MARK: Any number, any type

    @Test(.rule("B19")) func `three boards are combined`() {
        motherboard.registerCombinedFlow(.first, .words, .figures) { [journal] _, number, word, figure in
            journal.note("\(number) \(word) \(figure)")
        }
        motherboard.activate(.figures, with: 3)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["1 a 3"])
    }

    @Test(.rule("B19")) func `five boards are combined, in the order they were named in`() {
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

    @Test(.rule("B19")) func `what is kept is kept by identity, not by type`() {
        motherboard.registerCombinedFlow(.first, .second) { [journal] _, first, second in
            journal.note("\(first) \(second)")
        }
        motherboard.activate(.second, with: 2)
        motherboard.activate(.second, with: 3)
        #expect(journal.lines.isEmpty)
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["1 3"])
    }

    @Test(.rule("B19")) func `two boards of one identity count as one`() {
        motherboard.register(.first, reuse: .perActivation, replacing: true) { slot in
            ProbeBoard(slot: slot) { $0.send($1) }
        }
        combineTwo(.batch)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["2 a"])
    }

    // MARK: Place, removal, lifetime

    @Test(.rule("B19")) func `the handler is given its motherboard`() {
        motherboard.registerCombinedFlow(.first, .words) { [unowned motherboard, journal] given, _, _ in
            journal.note(given === motherboard ? "same" : "other")
            given.activate(.second, with: 5)
        }
        motherboard.registerFlow(from: .second) { [journal] output, _ in journal.note("\(output)") }
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        #expect(journal.lines == ["same", "5"])
    }

    @Test(.rule("B19")) func `what the handler causes belongs to the next set`() {
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

    @Test(.rule("B19")) func `a combined flow has its place among the flows of each board`() {
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("before") }
        combineTwo(.latest)
        motherboard.registerFlow(from: .first) { [journal] _, _ in journal.note("after") }
        motherboard.activate(.words, with: "a")
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["before", "1 a", "after"])
    }

    @Test(.rule("B19")) func `a removed flow hears no board any more, and lets go of what it captured`() {
        let record = motherboard.observeEvents()
        weak var captured: Journal?
        do {
            let capturing = Journal()
            captured = capturing
            let token = motherboard.registerCombinedFlow(.first, .words) { _, _, _ in capturing.note("fired") }
            motherboard.activate(.first, with: 1)
            motherboard.removeFlow(token)
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

    @Test(.rule("B19")) func `a batch lets go of what it has given to the handler`() {
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

    @Test(.rule("B19"), arguments: [true, false])
    func `what is kept goes with the motherboard, completed or let go of`(completes: Bool) {
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

    @Test(.rule("B19")) func `boards inside another board are not heard outside`() {
        combineTwo(.batch)
        motherboard.probe(BoardID<Doorkeeper>.doorkeeper) { board, _ in
            board.inner.activate(.first, with: 1)
            board.inner.activate(.words, with: "a")
        }
        motherboard.activate(.doorkeeper)
        #expect(journal.lines.isEmpty)
    }
}
