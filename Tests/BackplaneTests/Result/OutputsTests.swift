import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.timeLimit(.minutes(5)))
struct OutputsTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()
    let asked = Asked<Numbers>()

    init() {
        motherboard.probe(.first, notedIn: asked)
        // Sends all numbers up to its input.
        motherboard.probe(.second) { board, input in
            for number in 1...input { board.send(number) }
        }
    }

    /// Returns the remaining elements of `outputs`, a sequence that ends.
    private func rest<Contract>(of outputs: BoardOutputs<Contract>) async throws -> [Contract.Output] {
        var read: [Contract.Output] = []
        for try await output in outputs { read.append(output) }
        return read
    }

    /// Returns the remaining elements of `outputs` and the error at the end.
    private func read<Contract>(
        _ outputs: BoardOutputs<Contract>
    ) async -> (outputs: [Contract.Output], error: (any Error)?) {
        var read: [Contract.Output] = []
        do {
            for try await output in outputs { read.append(output) }
            return (read, nil)
        } catch {
            return (read, error)
        }
    }

    // MARK: Reading

    @Test(.rule("B13"))
    func `outputs sent during the activation are kept, and completion ends the sequence`() async throws {
        let outputs = motherboard.outputs(of: .second, with: 3)
        #expect(outputs.activation.id == .second)
        #expect(outputs.activation.state == .active)
        motherboard.complete(.second)
        #expect(try await rest(of: outputs) == [1, 2, 3])
    }

    @Test(.rule("B13")) func `outputs of a board without input need no input argument`() async throws {
        motherboard.probe(.doorkeeper) { board, _ in
            board.send(true)
            board.complete()
        }
        #expect(try await rest(of: motherboard.outputs(of: .doorkeeper)) == [true])
    }

    @Test(.rule("B13")) func `a waiting reader gets each output as it is sent`() async throws {
        let outputs = motherboard.outputs(of: .first, with: 0)
        let (seen, tell) = AsyncStream.makeStream(of: Int.self)
        let reading = Task {
            for try await output in outputs { tell.yield(output) }
            tell.finish()
        }
        var arrivals = seen.makeAsyncIterator()
        for output in 1...3 {
            asked.boards[0].send(output)
            #expect(await arrivals.next() == output)
        }
        asked.boards[0].complete()
        #expect(await arrivals.next() == nil)
        try await reading.value
    }

    @Test(.rule("B13")) func `flows and completion flows run too`() async throws {
        motherboard.registerFlow(from: .second) { [journal] output, _ in journal.note("\(output)") }
        motherboard.registerCompletionFlow(.second) { [journal] completion, _ in journal.note("\(completion)") }
        let outputs = motherboard.outputs(of: .second, with: 2)
        #expect(journal.lines == ["1", "2"])
        outputs.activation.complete()
        #expect(journal.lines == ["1", "2", "done"])
        #expect(try await rest(of: outputs) == [1, 2])
    }

    @Test(.rule("B13")) func `flows run before the sequence receives the output`() async {
        var root: Motherboard? = Motherboard()
        root?.probe(.first, notedIn: asked)
        let outputs = root?.outputs(of: .first, with: 0)
        root?.registerFlow(from: .first) { _, _ in root = nil }
        asked.boards[0].send(1)
        #expect(root == nil)
        guard let outputs else { return }
        let (read, error) = await read(outputs)
        #expect(read.isEmpty, "the flow released the motherboard before the sequence got the output")
        #expect((error as? BoardError)?.code == .ownerGone)
    }

    @Test(.rule("B21")) func `an output with a listening sequence counts as handled`() {
        let record = motherboard.observeEvents()
        let outputs = motherboard.outputs(of: .first, with: 0)
        asked.boards[0].send(1)
        #expect(record.boards(.output) == ["first"])
        #expect(record.boards(.unhandledOutput).isEmpty)
        withExtendedLifetime(outputs) {}
    }

    @Test(.rule("B13")) func `a sequence uses the live board, and commands reach that board`() {
        motherboard.activate(.first, with: 1)
        let outputs = motherboard.outputs(of: .first, with: 2)
        #expect(asked.boards.count == 2)
        #expect(asked.boards[0] === asked.boards[1])
        #expect(motherboard.send(1, to: .first) == .delivered(1))
        #expect(outputs.activation.state == .active)
    }

    @Test(.rule("B13")) func `each activation of a per-activation board has its own outputs`() async throws {
        motherboard.register(.first, reuse: .perActivation, replacing: true) { [asked] slot in
            ProbeBoard(slot: slot) { asked.note($0, $1) }
        }
        let all = [motherboard.outputs(of: .first, with: 1), motherboard.outputs(of: .first, with: 2)]
        for (board, input) in zip(asked.boards, asked.inputs) {
            board.send(input * 10)
            board.complete()
        }
        #expect(try await rest(of: all[0]) == [10])
        #expect(try await rest(of: all[1]) == [20])
    }

    // MARK: Supersession

    @Test(.rule("B13")) func `supersession ends the sequence`() async throws {
        let outputs = motherboard.outputs(of: .second, with: 2)
        motherboard.activate(.second, with: 1)
        #expect(outputs.activation.state == .superseded)
        #expect(try await rest(of: outputs) == [1, 2])
    }

    @Test(.rule("B13")) func `a superseding sequence receives the outputs sent from its activation on`() async throws {
        let earlier = motherboard.outputs(of: .second, with: 2)
        let later = motherboard.outputs(of: .second, with: 3)
        motherboard.complete(.second)
        #expect(try await rest(of: earlier) == [1, 2])
        #expect(try await rest(of: later) == [1, 2, 3])
    }

    @Test(.rule("B3"))
    func `outputs sent before a supersession in the same turn arrive, and later outputs do not`() async throws {
        var earlier: BoardOutputs<Numbers>?
        motherboard.probe(.third) { board, input in
            board.send(input)
            board.send(input + 1)
        }
        // One turn: outputs of the first activation are still queued when the second one starts.
        motherboard.probe(.figures) { board, _ in
            earlier = board.slot.liveBoard.entry.motherboard.outputs(of: .third, with: 1)
            board.nextToBoard(.third, with: 10)
        }
        motherboard.activate(.figures, with: 0)
        let outputs = try #require(earlier)
        #expect(try await rest(of: outputs) == [1, 2])
    }

    @Test(.rule("B3"))
    func `outputs sent before a sequence starts in the same turn do not reach that sequence`() async throws {
        var later: BoardOutputs<Numbers>?
        motherboard.probe(.third) { board, input in board.send(input) }
        motherboard.probe(.figures) { board, _ in
            board.nextToBoard(.third, with: 1)
            later = board.slot.liveBoard.entry.motherboard.outputs(of: .third, with: 10)
        }
        motherboard.activate(.figures, with: 0)
        motherboard.complete(.third)
        let outputs = try #require(later)
        #expect(try await rest(of: outputs) == [10])
    }

    // MARK: Errors

    @Test(.rule("B13")) func `the error of a failed board is thrown after its outputs`() async {
        let outputs = motherboard.outputs(of: .second, with: 2)
        motherboard.complete(.second, .failed(Oops()))
        let (read, error) = await read(outputs)
        #expect(read == [1, 2])
        #expect(error is Oops)
    }

    @Test(.rule("B13")) func `a cancelled board ends the sequence without an error`() async throws {
        let outputs = motherboard.outputs(of: .second, with: 2)
        motherboard.complete(.second, .cancelled)
        #expect(try await rest(of: outputs) == [1, 2])
    }

    @Test(.rule("B13")) func `a sequence of an unregistered board throws noSuchBoard`() async {
        let outputs = motherboard.outputs(of: .third, with: 0)
        #expect(outputs.activation.state == .noSuchBoard)
        let error = await read(outputs).error as? BoardError
        #expect(error?.code == .noSuchBoard)
    }

    @Test(.rule("B13")) func `a sequence throws the denial of a gate that does not open`() async {
        motherboard.probe(.doorkeeper) { board, _ in board.complete() }
        motherboard.gate(.first, by: .doorkeeper) { _ in .open }
        let outputs = motherboard.outputs(of: .first, with: 0)
        let denial = Denial(of: .first, by: .doorkeeper, .gateDone)
        #expect(outputs.activation.state == .denied(denial))
        let error = await read(outputs).error as? BoardError
        #expect(error?.code == .denied)
        #expect(error?.denial == denial)
    }

    @Test(.rule("B13")) func `an activation cancelled at a gate ends the sequence`() async throws {
        motherboard.probe(.doorkeeper)
        motherboard.gate(.first, by: .doorkeeper) { _ in .open }
        let outputs = motherboard.outputs(of: .first, with: 0)
        outputs.activation.complete()
        #expect(try await rest(of: outputs).isEmpty)
    }

    @Test(.rule("B13")) func `outputs behind a gate arrive after the gate opens`() async throws {
        let doorkeeper = Asked<Doorkeeper>()
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        motherboard.gate(.second, by: .doorkeeper) { _ in .open }
        let outputs = motherboard.outputs(of: .second, with: 2)
        #expect(outputs.activation.state == .waiting)
        doorkeeper.boards[0].send(true)
        #expect(outputs.activation.state == .active)
        motherboard.complete(.second)
        #expect(try await rest(of: outputs) == [1, 2])
    }

    @Test(.rule("B13")) func `a sequence on a completed motherboard throws ownerGone`() async {
        motherboard.complete()
        let outputs = motherboard.outputs(of: .second, with: 2)
        #expect(outputs.activation.state == .ownerGone)
        let error = await read(outputs).error as? BoardError
        #expect(error?.code == .ownerGone)
    }

    @Test(.rule("B13"))
    func `a sequence throws CancellationError after its outputs if the motherboard completes`() async {
        let outputs = motherboard.outputs(of: .second, with: 2)
        motherboard.complete()
        let (read, error) = await read(outputs)
        #expect(read == [1, 2])
        #expect(error is CancellationError)
        #expect(outputs.activation.state == .completed)
    }

    @Test(.rule("B13"))
    func `a sequence throws ownerGone after its outputs if the motherboard is released`() async throws {
        var root: Motherboard? = Motherboard()
        root?.probe(.first, notedIn: asked)
        let outputs = try #require(root?.outputs(of: .first, with: 0))
        asked.boards[0].send(1)
        root = nil
        let (read, error) = await read(outputs)
        #expect(read == [1])
        #expect((error as? BoardError)?.code == .ownerGone)
        #expect(outputs.activation.state == .ownerGone)
    }

    // MARK: Releasing

    @Test(.rule("B13")) func `releasing the sequence stops the listening, keeps the board and retains no output`() {
        enum Parcels: BoardContract {
            typealias Output = Journal
        }
        let parcels = BoardID<Parcels>("parcels")
        let record = motherboard.observeEvents()
        weak var parcel: Journal?
        weak var listener: Listener<Parcels>?
        let asked = Asked<Parcels>()
        motherboard.probe(parcels, notedIn: asked)
        var activation: Activation<Parcels>?
        do {
            let outputs = motherboard.outputs(of: parcels)
            activation = outputs.activation
            listener = outputs.listener
            let sent = Journal()
            parcel = sent
            asked.boards[0].send(sent)
            #expect(record.boards(.output) == ["parcels"])
        }
        #expect(parcel == nil)
        #expect(listener == nil)
        #expect(activation?.state == .active)
        asked.boards[0].send(Journal())
        #expect(record.boards(.unhandledOutput) == ["parcels"])
    }

    @Test(.rule("B13")) func `an iterator alone keeps listening`() async throws {
        var iterator = motherboard.outputs(of: .first, with: 0).makeAsyncIterator()
        asked.boards[0].send(1)
        asked.boards[0].send(2)
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
    }

    @Test(.rule("B13"))
    func `cancelling a reader returns nil and ends neither the board nor the listening`() async throws {
        let outputs = motherboard.outputs(of: .first, with: 0)
        let (reads, tell) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            var iterator = outputs.makeAsyncIterator()
            tell.yield()
            return try await iterator.next()
        }
        for await _ in reads { break }
        reading.cancel()
        #expect(try await reading.value == nil)
        #expect(outputs.activation.state == .active)
        asked.boards[0].send(4)
        asked.boards[0].complete()
        #expect(try await rest(of: outputs) == [4])
    }
}
