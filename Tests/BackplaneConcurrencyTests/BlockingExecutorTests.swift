import BackplaneConcurrency
import BackplaneTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct BlockingExecutorTests {
    private actor Blocking {
        private nonisolated let executor = BlockingExecutor(label: "test")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var count = 0

        func add() {
            preconditionIsolated()
            count += 1
        }

        /// Blocks its thread until the pipe is closed.
        func read(_ pipe: Pipe, begun: Tally) {
            begun.add()
            _ = pipe.fileHandleForReading.readDataToEndOfFile()
        }
    }

    @Test func `blocked actors leave the threads of the pool to others`() async throws {
        let begun = Tally()
        let pipes = (0..<16).map { _ in Pipe() }
        let blocked = pipes.map { pipe in Task { await Blocking().read(pipe, begun: begun) } }
        // More than the pool has threads.
        #expect(await begun.reach(16, by: .now + .seconds(30)) == .reached)
        #expect(await Task.detached { 1 }.value == 1)
        for pipe in pipes { try pipe.fileHandleForWriting.close() }
        for task in blocked { await task.value }
    }

    @Test func `an actor does one job at a time and may be released by its last job`() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    let actor = Blocking()
                    await withTaskGroup(of: Void.self) { calls in
                        for _ in 0..<8 { calls.addTask { await actor.add() } }
                    }
                    #expect(await actor.count == 8)
                    // Runs after this task has released the actor.
                    Task.detached { await actor.add() }
                }
            }
        }
    }
}
