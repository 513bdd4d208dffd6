import Backplane
import BackplaneTesting
import TestSupport
import Testing

@MainActor
struct GateTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let doorkeeper = Doorkeepers()

    final class Doorkeepers {
        var board: ProbeBoard<Doorkeeper>?
        var made = 0
        var activations = 0
    }

    init() {
        motherboard.register(.doorkeeper) { [doorkeeper] slot in
            doorkeeper.made += 1
            let board = ProbeBoard(slot: slot) { _, _ in doorkeeper.activations += 1 }
            doorkeeper.board = board
            return board
        }
        for id in [BoardID<Numbers>.first, .second] {
            motherboard.probe(id) { [journal] _, input in journal.note("\(id) \(input)") }
        }
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.gate(.second, by: .doorkeeper) { $0 ? .open : .undecided }
    }

    @Test(.rule("B30")) func `a board behind a gate waits and enters with its own input when the gate opens`() {
        let record = motherboard.observeEvents()
        let activation = motherboard.activate(.first, with: 7)
        #expect(activation.id == .first)
        #expect(activation.state == .waiting)
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.gateOpened).isEmpty)
        #expect(motherboard.send(1, to: .first) == .notLive)
        doorkeeper.board?.send(true)
        #expect(activation.state == .active)
        #expect(journal.lines == ["first 7"])
        #expect(record.boards(.gateOpened) == ["first"])
        #expect(activation.send(1) == .delivered(1))
        activation.complete()
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "done")
    }

    @Test(.rule("B30")) func `a gate that opens during its activation enters the board before the call returns`() {
        motherboard.register(.doorkeeper, replacing: true) { slot in
            ProbeBoard(slot: slot) { board, _ in
                board.send(true)
                board.complete()
            }
        }
        #expect(motherboard.activate(.first, with: 7).state == .active)
        #expect(motherboard.activate(.first, with: 8).state == .active)
        #expect(journal.lines == ["first 7", "first 8"])
    }

    @Test(.rule("B30")) func `flows from the gate board run before the waiting board enters`() {
        motherboard.registerFlow(from: .doorkeeper) { [journal] _, _ in journal.note("signed in") }
        motherboard.activate(.first, with: 7)
        doorkeeper.board?.send(true)
        #expect(journal.lines == ["signed in", "first 7"])
    }

    @Test(
        .rule("B30"),
        arguments: [
            (Completion.done, Denial.Reason.gateDone), (.cancelled, .gateCancelled), (.failed(Oops()), .gateFailed),
        ]
    )
    func `a gate that ends without opening denies the activation and makes no board`(
        completion: Completion,
        reason: Denial.Reason
    ) {
        let record = motherboard.observeEvents()
        let activation = motherboard.activate(.first, with: 7)
        doorkeeper.board?.complete(completion)
        activation.complete()
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, reason)))
        #expect(activation.completion == nil)
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.gateDenied) == ["first"])
        let message = record.events.first { $0.kind == .gateDenied }?.message
        #expect(message == "Gate 'doorkeeper' did not open for board 'first': \(reason).")
        #expect(record.boards(.gateOpened).isEmpty)
    }

    @Test(.rule("B30")) func `a waiting activation is denied before the gate board's completion flows run`() {
        let activation = motherboard.activate(.first, with: 7)
        motherboard.registerCompletionFlow(.doorkeeper) { _, _ in
            #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, .gateDone)))
        }
        doorkeeper.board?.complete()
        #expect(activation.state != .waiting)
    }

    @Test(.rule("B30")) func `an output of the gate board can close the gate or leave the gate undecided`() {
        let first = motherboard.activate(.first, with: 1)
        let second = motherboard.activate(.second, with: 2)
        doorkeeper.board?.send(false)
        #expect(first.state == .denied(Denial(of: .first, by: .doorkeeper, .closed)))
        #expect(second.state == .waiting)
        doorkeeper.board?.send(true)
        #expect(second.state == .active)
        #expect(journal.lines == ["second 2"])
    }

    @Test(.rule("B30")) func `an unregistered gate denies the activation`() {
        motherboard.probe(.figures)
        motherboard.gate(.figures, by: BoardID<Doorkeeper>("nobody")) { _ in .open }
        let record = motherboard.observeEvents()
        let activation = motherboard.activate(.figures, with: 1)
        #expect(
            activation.state == .denied(Denial(of: .figures, by: BoardID<Doorkeeper>("nobody"), .noSuchGate))
        )
        #expect(record.boards(.noSuchBoard) == ["nobody"])
    }

    @Test(.rule("B30")) func `a gate in front of an unregistered board is not asked`() {
        motherboard.gate(.third, by: .doorkeeper) { _ in .open }
        #expect(motherboard.activate(.third, with: 1).state == .noSuchBoard)
        #expect(doorkeeper.made == 0)
    }

    @Test(.rule("B30")) func `a gate set in front of a live board applies to the next activation`() {
        motherboard.probe(.third)
        var inner: Motherboard?
        motherboard.probe(.figures) { board, _ in inner = board.inner }
        motherboard.activate(.figures, with: 0)
        #expect(motherboard.activate(.third, with: 0).state == .active)
        #expect(inner?.activate(.third, with: 0).state == .active)
        motherboard.gate(.third, by: .doorkeeper) { _ in .open }
        #expect(motherboard.activate(.third, with: 0).state == .waiting)
        #expect(inner?.activate(.third, with: 0).state == .waiting)
    }

    @Test(.rule("B32")) func `activations waiting at the same gate share a gate run and enter in waiting order`() {
        let activations = [
            motherboard.activate(.second, with: 1), motherboard.activate(.first, with: 2),
            motherboard.activate(.second, with: 3),
        ]
        #expect(doorkeeper.activations == 1)
        doorkeeper.board?.send(true)
        #expect(journal.lines == ["second 1", "first 2", "second 3"])
        #expect(activations.map(\.state) == [.superseded, .active, .active])
    }

    @Test(.rule("B21")) func `a gate board's output without a waiting activation or flow raises an event`() {
        let record = motherboard.observeEvents()
        motherboard.activate(.first, with: 1)
        doorkeeper.board?.send(true)
        doorkeeper.board?.send(true)
        #expect(record.boards(.output) == ["doorkeeper"])
        #expect(record.boards(.unhandledOutput) == ["doorkeeper"])
    }

    @Test(.rule("B32")) func `the next activation after a gate run asks the gate again`() {
        motherboard.activate(.first, with: 1)
        doorkeeper.board?.send(true)
        #expect(motherboard.activate(.first, with: 2).state == .waiting)
        #expect(doorkeeper.activations == 2)
    }

    @Test(.rule("B33")) func `an activation cancelled while waiting does not enter`() {
        let activation = motherboard.activate(.first, with: 1)
        activation.complete()
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "cancelled")
        doorkeeper.board?.send(true)
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B33")) func `an activation cancelled while waiting is not denied later`() {
        let record = motherboard.observeEvents()
        let activation = motherboard.activate(.first, with: 1)
        activation.complete()
        doorkeeper.board?.complete()
        #expect(activation.state == .completed)
        #expect(record.boards(.gateDenied).isEmpty)
    }

    @Test(.rule("B33")) func `a gate that opens on a completed motherboard denies the activation`() {
        let activation = motherboard.activate(.first, with: 1)
        motherboard.registerFlow(from: .doorkeeper) { _, motherboard in motherboard.complete() }
        doorkeeper.board?.send(true)
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, .ownerGone)))
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B33")) func `a gate that opens on a released motherboard denies the activation`() {
        var motherboard: Motherboard? = Motherboard()
        var board: ProbeBoard<Numbers>?
        var activation: Activation<Words>?
        motherboard?.probe(.first) { given, _ in board = given }
        motherboard?.probe(.words) { [journal] _, _ in journal.note("entered") }
        motherboard?.probe(.doorkeeper) { board, _ in
            board.send(true)
            board.complete()
        }
        motherboard?.gate(.words, by: .doorkeeper) { _ in .open }
        motherboard?.registerFlow(from: .first) { _, given in
            activation = given.activate(.words, with: "")
            motherboard = nil
        }
        motherboard?.activate(.first, with: 0)
        board?.send(1)
        #expect(motherboard == nil)
        #expect(activation?.completion == nil)
        guard case .denied = activation?.state else {
            Issue.record("The activation should be denied, but its state is \(String(describing: activation?.state)).")
            return
        }
        #expect(journal.lines.isEmpty)
    }

    @Test(.rule("B33")) func `a board that releases the motherboard while entering prevents the next entry`() {
        var motherboard: Motherboard? = Motherboard()
        var board: ProbeBoard<Doorkeeper>?
        motherboard?.probe(.doorkeeper) { given, _ in board = given }
        motherboard?.probe(.first) { [journal] _, input in
            journal.note("entered \(input)")
            motherboard = nil
        }
        motherboard?.gate(.first, by: .doorkeeper) { _ in .open }
        let activations = [1, 2].map { motherboard?.activate(.first, with: $0) }
        board?.send(true)
        let denial = Denial(of: .first, by: .doorkeeper, .ownerGone)
        #expect(activations.map { $0?.state } == [.ownerGone, .denied(denial)])
        #expect(journal.lines == ["entered 1"])
    }

    @Test(.rule("B33")) func `the handle of a waiting activation can complete the board during its entry`() {
        var activation: Activation<Numbers>?
        motherboard.register(.first, replacing: true) { slot in
            ProbeBoard(slot: slot) { _, _ in activation?.complete(.cancelled) }
        }
        activation = motherboard.activate(.first, with: 1)
        doorkeeper.board?.send(true)
        #expect(activation?.state == .completed)
        #expect(activation?.completion.map { "\($0)" } == "cancelled")
        #expect(motherboard.send(1, to: .first) == .notLive)
    }

    @Test(.rule("B33")) func `an activation releases its input after entry, denial or cancellation despite a handle`() {
        enum Parcels: BoardContract {
            typealias Input = Journal
        }
        let parcels = BoardID<Parcels>("parcels")
        motherboard.probe(parcels)
        motherboard.gate(parcels, by: .doorkeeper) { $0 ? .open : .closed }
        weak var entered: Journal?
        weak var denied: Journal?
        weak var abandoned: Journal?
        var activations: [Activation<Parcels>] = []
        do {
            let inputs = [Journal(), Journal(), Journal()]
            entered = inputs[0]
            activations = [motherboard.activate(parcels, with: inputs[0])]
            doorkeeper.board?.send(true)
            denied = inputs[1]
            abandoned = inputs[2]
            activations += inputs[1...].map { motherboard.activate(parcels, with: $0) }
        }
        #expect(entered == nil)
        activations[2].complete()
        #expect(abandoned == nil)
        #expect(denied != nil)
        doorkeeper.board?.send(false)
        #expect(denied == nil)
        #expect(
            activations.map(\.state) == [
                .active, .denied(Denial(of: parcels, by: .doorkeeper, .closed)), .completed,
            ]
        )
    }

    @Test(.rule("B33")) func `a pending gate does not retain the motherboard, and a released motherboard denies`() {
        weak var gone: Motherboard?
        var activation: Activation<Numbers>?
        do {
            let motherboard = Motherboard()
            gone = motherboard
            motherboard.probe(.first)
            motherboard.probe(.doorkeeper)
            motherboard.gate(.first, by: .doorkeeper) { _ in .open }
            activation = motherboard.activate(.first, with: 1)
            #expect(activation?.state == .waiting)
        }
        #expect(gone == nil)
        #expect(activation?.state == .denied(Denial(of: .first, by: .doorkeeper, .ownerGone)))
    }

    @Test(.rule("B33"), arguments: [false, true])
    func `a verdict is released even if the task of its gate board still runs`(completes: Bool) async {
        let finish = AsyncLatch()
        weak var captured: Journal?
        var work: Task<Void, Never>?
        do {
            let motherboard = Motherboard()
            let journal = Journal()
            captured = journal
            motherboard.probe(.first)
            motherboard.probe(.doorkeeper) { board, _ in work = board.task { await finish.wait() } }
            motherboard.gate(.first, by: .doorkeeper) { _ in
                journal.note("judged")
                return .open
            }
            motherboard.activate(.first, with: 0)
            if completes { motherboard.complete() }
        }
        #expect(captured == nil)
        finish.open()
        await work?.value
    }

    @Test(.rule("B33")) func `a completed motherboard denies its waiting activations with the reason ownerGone`() {
        let activation = motherboard.activate(.first, with: 1)
        motherboard.complete()
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, .ownerGone)))
    }

    @Test(.rule("B33")) func `a completing motherboard denies before the queued end of a gate board is delivered`() {
        let activation = motherboard.activate(.first, with: 1)
        motherboard.probe(.third) { [doorkeeper, unowned motherboard] _, _ in
            doorkeeper.board?.complete()
            motherboard.complete()
        }
        motherboard.activate(.third, with: 0)
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, .ownerGone)))
    }

    @Test(.rule("B34")) func `the end of another board does not open the gate`() {
        motherboard.probe(.third)
        let activation = motherboard.activate(.first, with: 1)
        motherboard.activate(.third, with: 0).complete()
        #expect(activation.state == .waiting)
    }

    @Test(.rule("B48")) func `a nested motherboard inherits gates and shares the gate run of its ancestor`() {
        var inner: Motherboard?
        motherboard.probe(.third) { board, _ in inner = board.inner }
        motherboard.activate(.third, with: 0)
        let inside = inner?.activate(.first, with: 1)
        #expect(inside?.state == .waiting)
        let outside = motherboard.activate(.first, with: 2)
        #expect(doorkeeper.made == 1)
        #expect(motherboard.isLive(.doorkeeper))
        #expect(inner?.isLive(.doorkeeper) == false)
        doorkeeper.board?.send(true)
        #expect(inside?.state == .active)
        #expect(outside.state == .active)
    }

    @Test(.rule("B31")) func `a gate of a nested motherboard is asked after the inherited gate and only inside`() {
        var inner: Motherboard?
        motherboard.probe(.third) { board, _ in inner = board.inner }
        motherboard.activate(.third, with: 0)
        motherboard.probe(.figures)
        inner?.gate(.first, by: .figures, with: 0) { _ in .open }
        let inside = inner?.activate(.first, with: 1)
        #expect(motherboard.activate(.first, with: 2).state == .waiting)
        #expect(!motherboard.isLive(.figures))
        doorkeeper.board?.send(true)
        #expect(journal.lines == ["first 2"])
        #expect(inside?.state == .waiting)
        #expect(inner?.liveCount(of: .figures) == 1)
    }

    @Test(.rule("B11")) func `an activation superseded during its entry ignores its own completion`() {
        let motherboard = Motherboard()
        var waiting: Activation<Numbers>?
        var keeper: ProbeBoard<Doorkeeper>?
        var isSignedIn = false
        motherboard.probe(.doorkeeper) { board, _ in keeper = board }
        motherboard.probe(.first) { [unowned motherboard] _, input in
            guard input == 1 else { return }
            isSignedIn = true
            motherboard.activate(.first, with: 2)
            waiting?.complete()
        }
        motherboard.gate(.first, by: .doorkeeper, unless: { isSignedIn }, verdict: { _ in .open })
        waiting = motherboard.activate(.first, with: 1)
        keeper?.send(true)
        #expect(waiting?.state == .superseded)
        #expect(waiting?.completion == nil)
    }
}
