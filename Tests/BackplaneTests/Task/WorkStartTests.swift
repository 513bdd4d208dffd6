import BackplaneConcurrency
import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

/// The time at which the work of a task board starts.
@Suite(.rule("B36"), .timeLimit(.minutes(5))) @MainActor struct WorkStartTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    /// Returns a result as on a system that can or cannot start tasks immediately.
    private func result(by path: OwnerPath, of id: BoardID<Figures>, with input: Int) async throws -> Int {
        let motherboard = motherboard
        let task = path.run { Task { @MainActor in try await motherboard.result(of: id, with: input) } }
        return try await task.value
    }

    private func registerWork() {
        motherboard.registerTask(.figures) { [journal] input, _ in
            journal.note("work")
            return input
        }
    }

    @Test(arguments: OwnerPath.allCases)
    func `requested work starts after all deliveries that the activation caused`(path: OwnerPath) async throws {
        motherboard.probe(.doorkeeper) { board, _ in
            board.send(true)
            board.send(false)
        }
        motherboard.gate(.figures, by: .doorkeeper) { $0 ? .open : .closed }
        motherboard.registerFlow(from: .doorkeeper) { [journal] output, _ in journal.note("flow \(output)") }
        registerWork()
        #expect(try await result(by: path, of: .figures, with: 1) == 1)
        #expect(journal.lines == ["flow true", "flow false", "work"])
    }

    @Test func `if the system can start tasks immediately, work that ends at once needs no hop`() async throws {
        guard canStartImmediately else { return }
        let journal = journal
        motherboard.registerTask(.figures) { input, _ in input }
        let other = Task { @MainActor in journal.note("other") }
        #expect(try await motherboard.result(of: .figures, with: 1) == 1)
        #expect(journal.lines.isEmpty)
        await other.value
    }

    @Test func `if the system cannot start tasks immediately, work starts after a hop`() async throws {
        let (journal, motherboard) = (journal, motherboard)
        registerWork()
        let asking = OwnerPath.alwaysByHop.run {
            Task { @MainActor in
                Task { journal.note("other") }
                return try await motherboard.result(of: .figures, with: 1)
            }
        }
        #expect(try await asking.value == 1)
        #expect(journal.lines == ["other", "work"])
    }

    @Test func `the work of an activation without a waiting caller starts after the activation returns`() async throws {
        registerWork()
        let outputs = motherboard.outputs(of: .figures, with: 1)
        #expect(journal.lines.isEmpty)
        #expect(outputs.activation.state == .active)
        #expect(try await outputs.all() == [1])
    }

    @Test func `work that is requested during a turn starts after the turn`() async throws {
        let (journal, motherboard) = (journal, motherboard)
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        var asking: Task<Int, any Error>?
        motherboard.registerFlow(from: .first) { _, _ in journal.note("flow") }
        registerWork()
        motherboard.probe(.first) { board, _ in
            board.send(1)
            asking = Task.immediate { try await motherboard.result(of: .figures, with: 2) }
            journal.note("activated")
        }
        motherboard.activate(.first, with: 0)
        #expect(try await asking?.value == 2)
        #expect(journal.lines == ["activated", "flow", "work"])
    }

    @Test(arguments: OwnerPath.allCases)
    func `deeply nested requests between boards do not grow the stack`(path: OwnerPath) async throws {
        let motherboard = motherboard
        motherboard.registerTask(.figures) { input, _ in
            input == 0 ? 0 : try await motherboard.result(of: .figures, with: input - 1) + 1
        }
        #expect(try await result(by: path, of: .figures, with: 5_000) == 5_000)
        motherboard.complete()
    }

    @Test(arguments: OwnerPath.allCases)
    func `if work is cancelled before its start, the next work in the queue starts`(path: OwnerPath) async throws {
        let journal = journal
        motherboard.probe(.doorkeeper, reuse: .perActivation) { board, _ in
            board.send(true)
            board.send(false)
        }
        motherboard.gate(.figures, by: .doorkeeper) { $0 ? .open : .closed }
        var isFirst = true
        motherboard.registerFlow(from: .doorkeeper) { output, motherboard in
            if !output, isFirst { motherboard.complete(.figures) }
            if !output { isFirst = false }
        }
        motherboard.registerTask(.figures, .queue) { input, _ in
            journal.note("work \(input)")
            return input
        }
        await #expect(throws: (any Error).self) { try await result(by: path, of: .figures, with: 1) }
        #expect(try await result(by: path, of: .figures, with: 2) == 2)
        #expect(journal.lines == ["work 2"])
    }

    @Test(arguments: OwnerPath.allCases)
    func `work that completes its own board and continues is cancelled`(path: OwnerPath) async throws {
        let journal = journal
        let ended = AsyncLatch()
        motherboard.registerTask(.figures) { input, slot in
            slot.complete(sending: input)
            journal.note("\(Task.isCancelled)")
            await Task.yield()
            journal.note("\(Task.isCancelled)")
            ended.open()
            return 7
        }
        #expect(try await result(by: path, of: .figures, with: 1) == 1)
        await ended.wait()
        #expect(journal.lines.last == "true")
    }
}
