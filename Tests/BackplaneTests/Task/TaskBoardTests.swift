import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// A board with a number as input and without output.
enum Errand: BoardContract {
    typealias Input = Int
}

@Suite(.rule("B36"), .timeLimit(.minutes(5))) @MainActor struct TaskBoardTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    private func noteFigures() {
        motherboard.noteOutputs(of: .figures, in: journal)
        motherboard.noteCompletions(of: .figures, in: journal)
    }

    @Test(.rule("B9")) func `a closure may be a board, and its result is its last output`() async throws {
        noteFigures()
        motherboard.registerTask(.figures) { input, slot in
            slot.send(input + 1)
            await Task.yield()
            slot.send(input + 2)
            return input + 3
        }
        let outputs = motherboard.outputs(of: .figures, with: 10)
        #expect(journal.lines.isEmpty)
        #expect(try await outputs.all() == [11, 12, 13])
        #expect(outputs.activation.state == .completed)
        #expect(journal.lines == ["11", "12", "13", "done"])
    }

    @Test(.rule("B9"))
    func `a flow that receives the result of a closure can no longer cancel the board`() async throws {
        noteFigures()
        motherboard.registerFlow(from: .figures) { _, motherboard in motherboard.complete(.figures, .cancelled) }
        motherboard.registerTask(.figures) { input, _ in input }
        #expect(try await motherboard.outputs(of: .figures, with: 1).all() == [1])
        #expect(journal.lines == ["1", "done"])
    }

    @Test func `an error fails its activation once, after the outputs already sent`() async throws {
        noteFigures()
        motherboard.registerTask(.figures) { input, slot in
            slot.send(input)
            throw Oops()
        }
        let outputs = motherboard.outputs(of: .figures, with: 1)
        await #expect(throws: Oops.self) { try await outputs.all() }
        #expect(try await outputs.all().isEmpty)
        #expect(journal.lines == ["1", "failed(Oops)"])
    }

    @Test(.rule("B9")) func `a closure without output may be a board, and may fail`() async {
        motherboard.registerTask(Errand.id) { [journal] input, _ in
            journal.note("\(input)")
            if input == 2 { throw Oops() }
        }
        motherboard.noteCompletions(of: Errand.id, in: journal)
        for input in 1...2 {
            do {
                for try await _ in motherboard.outputs(of: Errand.id, with: input) {}
            } catch {
                journal.note("thrown")
            }
        }
        #expect(journal.lines == ["1", "done", "2", "failed(Oops)", "thrown"])
    }

    @Test func `work that throws CancellationError ends as cancelled`() async throws {
        noteFigures()
        motherboard.registerTask(.figures) { _, _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await motherboard.result(of: .figures, with: 0) }
        #expect(try await motherboard.outputs(of: .figures, with: 0).all().isEmpty)
        #expect(journal.lines == ["cancelled"])
    }

    @Test func `cancelling a caller that awaits a result cancels the work`() async {
        let begun = AsyncLatch()
        let clock = ManualClock()
        let ended = AsyncLatch()
        motherboard.registerTask(.figures) { [journal] input, _ in
            begun.open()
            defer {
                journal.note(Task.isCancelled ? "cancelled" : "not cancelled")
                ended.open()
            }
            try await clock.sleep(for: .seconds(1))
            return input
        }
        let motherboard = motherboard
        let asking = Task { @MainActor in try await motherboard.result(of: .figures, with: 0) }
        await begun.wait()
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        await ended.wait()
        #expect(journal.lines == ["cancelled"])
    }

    @Test func `work that is cancelled before its start does not run`() async throws {
        let motherboard = motherboard
        motherboard.registerTask(.figures, .queue) { [journal] input, _ in
            journal.note("\(input)")
            return input
        }
        motherboard.activate(.figures, with: 1).complete()
        #expect(try await motherboard.result(of: .figures, with: 2) == 2)
        #expect(journal.lines == ["2"])
    }

    @Test(.rule("B29")) func `a released motherboard fails the waiting callers and cancels the work`() async {
        let gate = AsyncLatch()
        let ended = AsyncLatch()
        let begun = AsyncLatch()
        var outputs: BoardOutputs<Figures>?
        do {
            let motherboard = Motherboard()
            motherboard.registerTask(.figures, .queue) { [journal] input, slot in
                begun.open()
                await gate.wait()
                journal.note("\(input) \(Task.isCancelled ? "cancelled" : "goes on") \(slot.isLive)")
                slot.send(input)
                ended.open()
                return input
            }
            outputs = motherboard.outputs(of: .figures, with: 1)
            motherboard.activate(.figures, with: 2)
            await begun.wait()
        }
        let error = await #expect(throws: BoardError.self) { try await outputs?.all() }
        #expect(error?.code == .ownerGone)
        gate.open()
        await ended.wait()
        for _ in 0..<100 { await Task.yield() }
        #expect(journal.lines == ["1 cancelled false"])
    }
}

extension BoardOutputs {
    /// Returns the remaining outputs after the board has ended.
    nonisolated(nonsending) func all() async throws -> [Contract.Output] {
        var outputs: [Contract.Output] = []
        for try await output in self { outputs.append(output) }
        return outputs
    }
}
