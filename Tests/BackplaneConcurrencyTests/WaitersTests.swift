import BackplaneConcurrency
import BackplaneTesting
import Testing

/// Callers that wait on the main actor, and who of them has gone on.
@MainActor private final class Queue {
    let waiters = Waiters()
    private var waiting: Set<Int> = []
    private(set) var resumed: Set<Int> = []

    /// Lets one more wait, and returns when they do.
    func join(_ number: Int) async -> Task<Void, Never> {
        let task = Task {
            waiting.insert(number)
            // Runs on this actor, which it occupies until it has taken its place.
            await waiters.wait()
            resumed.insert(number)
        }
        while !waiting.contains(number) { await Task.yield() }
        return task
    }

    /// Gives those who have been resumed time to say so.
    func settle() async {
        for _ in 0..<100 { await Task.yield() }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct WaitersTests {
    private let queue = Queue()

    @Test func `everyone who waits is resumed, and who comes later waits for the next time`() async {
        let early = [await queue.join(1), await queue.join(2)]
        await queue.settle()
        #expect(queue.resumed == [])
        queue.waiters.resumeAll()
        for task in early { await task.value }
        let late = await queue.join(3)
        await queue.settle()
        #expect(queue.resumed == [1, 2])
        queue.waiters.resumeAll()
        await late.value
        #expect(queue.resumed == [1, 2, 3])
    }

    @Test func `who is cancelled gives up alone`() async {
        let tasks = [await queue.join(1), await queue.join(2)]
        tasks[0].cancel()
        await tasks[0].value
        await queue.settle()
        #expect(queue.resumed == [1])
        queue.waiters.resumeAll()
        await tasks[1].value
    }

    @Test func `who is cancelled before waiting does not wait`() async {
        let waiters = queue.waiters
        let gate = AsyncLatch()
        let task = Task {
            await gate.wait()
            await waiters.wait()
        }
        task.cancel()
        gate.open()
        await task.value
    }

    @Test nonisolated func `ten thousand who wait and are cancelled at random go on once each`() async {
        let count = 10_000
        let waiters = Waiters()
        let resumed = Locked(0)
        await withTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    let waiting = Task {
                        await waiters.wait()
                        resumed.withLock { $0 += 1 }
                    }
                    if number.isMultiple(of: 3) { await Task.yield() }
                    if number.isMultiple(of: 2) { waiting.cancel() }
                    await waiting.value
                }
            }
            group.addTask {
                while resumed.withLock({ $0 }) < count {
                    waiters.resumeAll()
                    await Task.yield()
                }
            }
        }
        // A continuation that is resumed twice traps.
        #expect(resumed.withLock { $0 } == count)
    }
}
