import Backplane
import BackplaneTesting
import TestSupport
import Testing

@MainActor
struct GateTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let doorkeeper = Asked<Doorkeeper>()

    init() {
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        motherboard.probe(.first) { [journal] _, input in journal.note("first \(input)") }
        motherboard.gate(.first, by: .doorkeeper) { $0 ? .open : .closed }
    }

    @Test(.rule("B30")) func `a board behind a gate waits and enters with its own input when the gate opens`() {
        let record = motherboard.observeEvents()
        let activation = motherboard.activate(.first, with: 7)
        #expect(activation.id == .first)
        #expect(activation.state == .waiting)
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.gateOpened).isEmpty)
        #expect(motherboard.send(1, to: .first) == .notLive)
        doorkeeper.boards.last?.send(true)
        #expect(activation.state == .active)
        #expect(journal.lines == ["first 7"])
        #expect(record.boards(.gateOpened) == ["first"])
        #expect(activation.send(1) == .delivered(1))
        activation.complete()
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "done")
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
        doorkeeper.boards.last?.complete(completion)
        activation.complete()
        #expect(activation.state == .denied(Denial(of: .first, by: .doorkeeper, reason)))
        #expect(activation.completion == nil)
        #expect(journal.lines.isEmpty)
        #expect(record.boards(.gateDenied) == ["first"])
        let message = record.events.first { $0.kind == .gateDenied }?.message
        #expect(message == "Gate 'doorkeeper' did not open for board 'first': \(reason).")
        #expect(record.boards(.gateOpened).isEmpty)
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

    @Test(.rule("B33")) func `an activation releases its input after entry, denial or cancellation despite a handle`() {
        motherboard.probe(.parcels)
        motherboard.gate(.parcels, by: .doorkeeper) { $0 ? .open : .closed }
        var (inputs, activations): ([Weak<OnRelease>], [Activation<Parcels>]) = ([], [])
        func activate() {
            let input = OnRelease {}
            inputs.append(Weak(input))
            activations.append(motherboard.activate(.parcels, with: input))
        }
        activate()
        doorkeeper.boards.last?.send(true)
        for _ in 1...2 { activate() }
        activations[2].complete()
        #expect(inputs.map { $0.object != nil } == [false, true, false])
        doorkeeper.boards.last?.send(false)
        #expect(inputs[1].object == nil)
        #expect(
            activations.map(\.state) == [
                .active, .denied(Denial(of: .parcels, by: .doorkeeper, .closed)), .completed,
            ]
        )
    }

    @Test(.rule("B33")) func `a waiting activation does not retain its motherboard`() {
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
    func `a verdict closure is released, even if the task of its gate board still runs`(completes: Bool) async {
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

    @Test(.rule("B34")) func `the end of another board does not open the gate`() {
        motherboard.probe(.third)
        let activation = motherboard.activate(.first, with: 1)
        motherboard.activate(.third, with: 0).complete()
        #expect(activation.state == .waiting)
    }

    @Test(.rule("B11")) func `if an activation is superseded during its entry, its own completion has no effect`() {
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
