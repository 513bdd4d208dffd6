import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// Work that can be held, with a log of starts and ends and a count of simultaneous work.
@MainActor private final class Works {
    let gates: [AsyncLatch]
    private(set) var log: [String] = []
    private(set) var now = 0
    private(set) var most = 0

    init(_ count: Int) {
        gates = (0..<count).map { _ in AsyncLatch() }
    }

    /// Waits at the gate, whether or not the task is cancelled.
    func work(_ number: Int) async -> Int {
        log.append("\(number) begins")
        now += 1
        most = max(most, now)
        await gates[number].wait()
        now -= 1
        log.append("\(number) \(Task.isCancelled ? "stops" : "ends")")
        return number
    }

    func begun(_ number: Int) async {
        await gates[number].arrivals(atLeast: 1)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct TaskStrategyTests {
    let motherboard = Motherboard.onMain()
    private let works = Works(6)

    private func register(_ strategy: TaskStrategy<Int>) {
        motherboard.registerTask(.figures, strategy) { [works] input, _ in await works.work(input) }
    }

    private func activate(_ numbers: Range<Int>) -> [BoardOutputs<Figures>] {
        numbers.map { motherboard.outputs(of: .figures, with: $0) }
    }

    /// Yields until all work that can start has started.
    private func settle() async {
        for _ in 0..<100 { await Task.yield() }
    }

    @Test(.rule("B36")) func `the concurrent strategy runs all activations at the same time`() async throws {
        register(.concurrent())
        let outputs = activate(0..<6)
        for number in 0..<6 { await works.begun(number) }
        #expect(works.most == 6)
        for gate in works.gates { gate.open() }
        for (number, output) in outputs.enumerated() { #expect(try await output.all() == [number]) }
    }

    @Test(.rule("B36")) func `the concurrent strategy never exceeds its limit and starts work in order`() async throws {
        register(.concurrent(limit: 2))
        let outputs = activate(0..<6)
        await works.begun(1)
        await settle()
        #expect(works.log == ["0 begins", "1 begins"])
        works.gates[1].open()
        await works.begun(2)
        works.gates[0].open()
        await works.begun(3)
        for gate in works.gates { gate.open() }
        for (number, output) in outputs.enumerated() { #expect(try await output.all() == [number]) }
        #expect(works.log.filter { $0.hasSuffix("begins") } == (0..<6).map { "\($0) begins" })
        #expect(works.most == 2)
    }

    @Test(.rule("B36")) func `a limit below one traps`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            Motherboard.onMain().registerTask(.figures, .concurrent(limit: 0)) { input, _ in input }
        }
    }

    @Test(.rule("B36")) func `the queue strategy runs one activation at a time, in order`() async throws {
        register(.queue)
        let outputs = activate(0..<3)
        for gate in works.gates { gate.open() }
        for (number, output) in outputs.enumerated() { #expect(try await output.all() == [number]) }
        #expect(works.log == (0..<3).flatMap { ["\($0) begins", "\($0) ends"] })
    }

    @Test(.rule("B36"))
    func `the queue strategy starts the next work only after the cancelled work has ended`() async throws {
        register(.queue)
        let outputs = activate(0..<2)
        await works.begun(0)
        outputs[0].activation.complete(.cancelled)
        #expect(outputs[0].activation.state == .completed)
        works.gates[1].open()
        await settle()
        #expect(works.log == ["0 begins"])
        works.gates[0].open()
        #expect(try await outputs[1].all() == [1])
        #expect(works.log == ["0 begins", "0 stops", "1 begins", "1 ends"])
    }

    @Test(.rule("B36")) func `the queue strategy continues after a failure`() async throws {
        motherboard.registerTask(.figures, .queue) { input, _ in
            if input == 0 { throw Oops() }
            return input
        }
        let outputs = activate(0..<2)
        await #expect(throws: Oops.self) { try await outputs[0].all() }
        #expect(try await outputs[1].all() == [1])
    }

    @Test(.rule("B36"))
    func `the latest strategy cancels the earlier activation and starts immediately`() async throws {
        register(.latest)
        let outputs = activate(0..<1)
        await works.begun(0)
        let later = activate(1..<2)
        #expect(outputs[0].activation.state == .completed)
        #expect(try await outputs[0].all().isEmpty)
        await works.begun(1)
        for gate in works.gates { gate.open() }
        #expect(try await later[0].all() == [1])
        #expect(works.log.contains("0 stops"))
        #expect(works.log.contains("1 ends"))
        #expect("\(String(describing: outputs[0].activation.completion))".contains("cancelled"))
    }

    @Test(.rule("B36"))
    func `the exclusive strategy fails activations with busy during work and accepts later activations`() async throws {
        register(.exclusive)
        let outputs = activate(0..<2)
        let error = await #expect(throws: BoardError.self) { try await outputs[1].all() }
        #expect(error?.code == .busy)
        #expect(error?.board.name == "figures")
        await works.begun(0)
        works.gates[0].open()
        #expect(try await outputs[0].all() == [0])
        works.gates[2].open()
        #expect(try await motherboard.outputs(of: .figures, with: 2).all() == [2])
        #expect(works.log == ["0 begins", "0 ends", "2 begins", "2 ends"])
    }

    @Test(.rule("B36")) func `a queued activation that is cancelled is skipped and retained by nothing`() async throws {
        register(.queue)
        let outputs = activate(0..<4)
        let liveBoards = motherboard.entry(for: .figures).liveBoards.compactMap { $0 as? LiveBoard<Figures> }
        let boards = liveBoards.map { Weak<AnyObject>($0.board as AnyObject?) }
        await works.begun(0)
        outputs[1].activation.complete(.cancelled)
        outputs[2].activation.complete(.cancelled)
        #expect(boards.map { $0.object == nil } == [false, true, true, false])
        for gate in works.gates { gate.open() }
        #expect(try await outputs[1].all().isEmpty)
        #expect(try await outputs[3].all() == [3])
        #expect(works.log == ["0 begins", "0 ends", "3 begins", "3 ends"])
    }

    @Test(.rule("B36"))
    func `a queued activation that is cancelled is skipped even if its board is retained`() async throws {
        register(.queue)
        let outputs = activate(0..<3)
        let liveBoards = motherboard.entry(for: .figures).liveBoards.compactMap { $0 as? LiveBoard<Figures> }
        let boards = liveBoards.map(\.board)
        outputs[1].activation.complete(.cancelled)
        for gate in works.gates { gate.open() }
        #expect(try await outputs[2].all() == [2])
        #expect(works.log == ["0 begins", "0 ends", "2 begins", "2 ends"])
        #expect(boards.count == 3)
    }

    @Test(.rule("B36")) func `activations on nested motherboards join the queue of the inherited registration`() async {
        register(.queue)
        motherboard.probe(.second) { board, _ in board.inner.activate(.figures, with: 1) }
        let outputs = activate(0..<1)
        motherboard.activate(.second, with: 0)
        await works.begun(0)
        await settle()
        #expect(works.log == ["0 begins"])
        works.gates[0].open()
        await works.begun(1)
        #expect(outputs[0].activation.state == .completed)
    }

    @Test(.rule("B36")) func `a registration that replaces another registration has its own queue`() async throws {
        register(.queue)
        let outputs = activate(0..<1)
        await works.begun(0)
        motherboard.registerTask(.figures, .queue, replacing: true) { input, _ in input + 100 }
        #expect(try await motherboard.result(of: .figures, with: 1) == 101)
        #expect(outputs[0].activation.state == .active)
    }
}
