import TestSupport
import Testing

@testable import Backplane

@MainActor @Suite(.rule("B13"), .timeLimit(.minutes(5)))
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

    @Test func `outputs sent during the activation are kept, and completion ends the sequence`() async throws {
        motherboard.noteOutputs(of: .second, in: journal)
        motherboard.noteCompletions(of: .second, in: journal)
        let outputs = motherboard.outputs(of: .second, with: 2)
        #expect(outputs.activation.id == .second)
        #expect(journal.lines == ["1", "2"])
        outputs.activation.complete()
        #expect(journal.lines == ["1", "2", "done"])
        #expect(try await outputs.all() == [1, 2])
    }

    @Test func `a waiting reader gets each output as it is sent`() async throws {
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

    @Test func `flows run before the sequence receives the output`() async {
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

    @Test func `each activation of a per-activation board has its own outputs`() async throws {
        motherboard.register(.first, reuse: .perActivation, replacing: true) { [asked] slot in
            ProbeBoard(slot: slot) { asked.note($0, $1) }
        }
        let all = [motherboard.outputs(of: .first, with: 1), motherboard.outputs(of: .first, with: 2)]
        for (board, input) in zip(asked.boards, asked.inputs) {
            board.send(input * 10)
            board.complete()
        }
        #expect(try await all[0].all() == [10])
        #expect(try await all[1].all() == [20])
    }

    // MARK: Supersession

    @Test func `a sequence that supersedes another one receives the outputs from its activation on`() async throws {
        let earlier = motherboard.outputs(of: .second, with: 2)
        let later = motherboard.outputs(of: .second, with: 3)
        #expect(earlier.activation.state == .superseded)
        #expect(try await earlier.all() == [1, 2])
        motherboard.complete(.second)
        #expect(try await later.all() == [1, 2, 3])
    }

    @Test(.rule("B3")) func `a sequence contains the outputs of its own activation, even within one turn`() async throws
    {
        var sequences: [BoardOutputs<Numbers>] = []
        motherboard.echo(BoardID<Numbers>.third)
        // One turn: outputs of an activation are still queued when the next one starts.
        motherboard.probe(.figures) { [unowned motherboard] board, _ in
            sequences.append(motherboard.outputs(of: .third, with: 1))
            board.nextToBoard(.third, with: 2)
            sequences.append(motherboard.outputs(of: .third, with: 3))
        }
        motherboard.activate(.figures, with: 0)
        motherboard.complete(.third)
        try #require(sequences.count == 2)
        #expect(try await sequences[0].all() == [1])
        #expect(try await sequences[1].all() == [3])
    }

    // MARK: Errors

    @Test(arguments: [Completion.failed(Oops()), .cancelled, nil])
    func `a sequence ends or throws after its outputs when its board ends`(completion: Completion?) async {
        let outputs = motherboard.outputs(of: .second, with: 2)
        if let completion { motherboard.complete(.second, completion) } else { motherboard.complete() }
        let (read, error) = await read(outputs)
        #expect(read == [1, 2])
        #expect(outputs.activation.state == .completed)
        switch completion {
        case .failed: #expect(error is Oops)
        case nil: #expect(error is CancellationError)
        default: #expect(error == nil)
        }
    }

    @Test func `a sequence without a board throws noSuchBoard or ownerGone`() async {
        let unknown = motherboard.outputs(of: .third, with: 0)
        #expect(unknown.activation.state == .noSuchBoard)
        #expect(await boardError { try await unknown.all() } == .noSuchBoard)
        motherboard.complete()
        let late = motherboard.outputs(of: .second, with: 2)
        #expect(late.activation.state == .ownerGone)
        #expect(await boardError { try await late.all() } == .ownerGone)
    }

    @Test func `a sequence throws the denial of a gate that does not open`() async {
        motherboard.probe(.doorkeeper) { board, _ in board.complete() }
        motherboard.gate(.first, by: .doorkeeper) { _ in .open }
        let outputs = motherboard.outputs(of: .first, with: 0)
        let denial = Denial(of: .first, by: .doorkeeper, .gateDone)
        #expect(outputs.activation.state == .denied(denial))
        let error = await read(outputs).error as? BoardError
        #expect(error?.code == .denied)
        #expect(error?.denial == denial)
    }

    @Test func `outputs behind a gate arrive after it opens, and a cancelled activation has none`() async throws {
        let doorkeeper = Asked<Doorkeeper>()
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        for id in [BoardID<Numbers>.first, .second] { motherboard.gate(id, by: .doorkeeper) { _ in .open } }
        let cancelled = motherboard.outputs(of: .first, with: 0)
        cancelled.activation.complete()
        #expect(try await cancelled.all().isEmpty)
        let outputs = motherboard.outputs(of: .second, with: 2)
        #expect(outputs.activation.state == .waiting)
        doorkeeper.boards.last?.send(true)
        #expect(outputs.activation.state == .active)
        motherboard.complete(.second)
        #expect(try await outputs.all() == [1, 2])
    }

    @Test func `a sequence throws ownerGone after its outputs if the motherboard is released`() async throws {
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

    @Test(.rule("B21")) func `releasing the sequence stops the reading, and keeps the board but no output`() {
        let record = motherboard.observeEvents()
        weak var parcel: Journal?
        weak var listener: Listener<Diary>?
        let asked = Asked<Diary>()
        motherboard.probe(.diary, notedIn: asked)
        var activation: Activation<Diary>?
        do {
            let outputs = motherboard.outputs(of: .diary, with: Journal())
            activation = outputs.activation
            listener = outputs.listener
            let sent = Journal()
            parcel = sent
            asked.boards[0].send(sent)
            #expect(record.boards(.output) == ["diary"] && record.boards(.unhandledOutput) == [])
        }
        #expect(parcel == nil)
        #expect(listener == nil)
        #expect(activation?.state == .active)
        asked.boards[0].send(Journal())
        #expect(record.boards(.unhandledOutput) == ["diary"])
    }

    @Test func `an iterator without its sequence still receives outputs`() async throws {
        var iterator = motherboard.outputs(of: .first, with: 0).makeAsyncIterator()
        asked.boards[0].send(1)
        asked.boards[0].send(2)
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
    }

    @Test func `if a reader is cancelled, it gets nil, and the board and the sequence stay`() async throws {
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
        #expect(try await outputs.all() == [4])
    }
}
