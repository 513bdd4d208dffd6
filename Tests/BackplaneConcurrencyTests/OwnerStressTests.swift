import BackplaneConcurrency
import BackplaneTesting
import Testing

/// State that only its actor may touch, so that the thread sanitizer detects other access.
private final class Log {
    var lines: [Int] = []
}

private actor Owner {
    private let log = Log()

    func makeCall(_ number: Int, then: @escaping @Sendable () -> Void = {}) -> OwnerCall {
        let log = log
        return OwnerCall(on: self) {
            log.lines.append(number)
            then()
        }
    }

    /// Starts tasks that touch the log before and after a suspension.
    func startTasks(_ count: Int, immediately: Bool) -> [Task<Void, Never>] {
        let log = log
        return (0..<count).map { number in
            startTask(on: self, immediately: immediately) {
                log.lines.append(number)
                await Task.yield()
                log.lines.append(number)
            }
        }
    }

    /// Returns the log's line count before and directly after the start of one more task.
    func countAfterStart(immediately: Bool) -> (before: Int, after: Int) {
        let log = log
        let before = log.lines.count
        _ = startTask(on: self, immediately: immediately) { log.lines.append(0) }
        return (before, log.lines.count)
    }

    func passCheck(_ check: OwnerCheck, times: Int) {
        for _ in 0..<times { check.preconditionIsolated() }
    }

    var lines: [Int] { log.lines }
}

@Suite(.timeLimit(.minutes(5))) struct OwnerStressTests {
    @Test(arguments: [false, true])
    func `calls made together from many threads keep their order on each actor and skip released actors`(
        byHop: Bool
    )
        async
    {
        let owners = (0..<3).map { _ in Owner() }
        let (threads, callsEach) = (8, 50)
        let remaining = Locked(threads * callsEach * owners.count)
        let made = AsyncLatch()
        var batches: [[OwnerCall]] = []
        for thread in 0..<threads {
            var batch: [OwnerCall] = []
            for number in 0..<callsEach {
                for owner in owners {
                    let call = await owner.makeCall(thread * callsEach + number) {
                        let left = remaining.withLock { left in
                            left -= 1
                            return left
                        }
                        if left == 0 { made.open() }
                    }
                    batch.append(call)
                }
                batch.append(await Owner().makeCall(number) { Issue.record("The actor was released.") })
            }
            batches.append(batch)
        }
        await withTaskGroup { [batches] group in
            for batch in batches {
                group.addTask { OwnerCall.alwaysHops.withValue(byHop) { OwnerCall.callAll(batch) } }
            }
        }
        await made.wait()
        for owner in owners {
            let lines = await owner.lines
            #expect(lines.count == threads * callsEach)
            for thread in 0..<threads {
                let own = lines.filter { $0 / callsEach == thread }
                #expect(own == own.sorted())
            }
        }
    }

    @Test(arguments: [false, true])
    func `tasks started on many actors at the same time run only on their actors`(immediately: Bool) async {
        let owners = (0..<4).map { _ in Owner() }
        await withTaskGroup { group in
            for owner in owners {
                for _ in 0..<8 {
                    group.addTask {
                        for task in await owner.startTasks(25, immediately: immediately) { await task.value }
                    }
                }
            }
        }
        for owner in owners { #expect(await owner.lines.count == 8 * 25 * 2) }
    }

    @Test func `an immediate task begins before its start returns if the system supports this`() async {
        let atOnce = await Owner().countAfterStart(immediately: true)
        #expect(atOnce.after == (canStartImmediately ? 1 : 0))
        let later = await Owner().countAfterStart(immediately: false)
        #expect(later.after == 0)
        let hopping = await OwnerCall.alwaysHops.withValue(true) { await Owner().countAfterStart(immediately: true) }
        #expect(hopping.after == 0)
    }

    @Test func `checks pass on many actors at the same time`() async {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let owner = Owner()
                    await owner.passCheck(OwnerCheck(owner), times: 10_000)
                }
                group.addTask { @MainActor in
                    let check = OwnerCheck(MainActor.shared)
                    for _ in 0..<1_000 { check.preconditionIsolated() }
                }
            }
        }
    }
}
