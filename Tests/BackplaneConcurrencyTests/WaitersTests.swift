import BackplaneConcurrency
import BackplaneTesting
import Testing

/// Callers that wait on the main actor, with the numbers of the resumed callers.
@MainActor private final class Queue {
    let waiters = Waiters()
    private var waiting: Set<Int> = []
    private(set) var resumed: Set<Int> = []

    /// Starts a caller and returns when the caller waits.
    func join(_ number: Int) async -> Task<Void, Never> {
        let task = Task {
            waiting.insert(number)
            // The task occupies this actor until it has started to wait.
            await waiters.wait()
            resumed.insert(number)
        }
        while !waiting.contains(number) { await Task.yield() }
        return task
    }

    /// Gives resumed callers time to record their numbers.
    func settle() async {
        for _ in 0..<100 { await Task.yield() }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct WaitersTests {
    private let queue = Queue()

    @Test func `every waiter resumes, and a later waiter waits for the next resumption`() async {
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

    @Test func `a cancelled waiter resumes, and the others keep waiting`() async {
        let tasks = [await queue.join(1), await queue.join(2)]
        tasks[0].cancel()
        await tasks[0].value
        await queue.settle()
        #expect(queue.resumed == [1])
        queue.waiters.resumeAll()
        await tasks[1].value
    }

    @Test func `a waiter that is already cancelled does not wait`() async {
        let waiters = queue.waiters
        let latch = AsyncLatch()
        let task = Task {
            await latch.wait()
            await waiters.wait()
        }
        task.cancel()
        latch.open()
        await task.value
    }

    @Test nonisolated func `ten thousand waiters with random cancellations resume once each`() async {
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
