import BackplaneConcurrency
import BackplaneTesting
import Testing

/// An actor that counts its calls on itself.
private actor Owner {
    private(set) var counts: [Int]

    init(calls: Int = 1) {
        counts = [Int](repeating: 0, count: calls)
    }

    func makeCalls(whenDone: AsyncLatch) -> [OwnerCall] {
        let remaining = Locked(counts.count)
        return counts.indices.map { index in
            OwnerCall(on: self) { [weak self] in
                self?.assumeIsolated { $0.counts[index] += 1 }
                let left = remaining.withLock { left in
                    left -= 1
                    return left
                }
                if left == 0 { whenDone.open() }
            }
        }
    }

    /// Makes a call and returns whether the call ran synchronously.
    func callAtOnce() -> Bool {
        var isMade = false
        let call = OwnerCall(on: self) { isMade = true }
        call()
        return isMade
    }
}

@Suite(.timeLimit(.minutes(5))) struct OwnerCallTests {
    @Test func `a call made on its actor runs at once`() async {
        #expect(await Owner().callAtOnce())
    }

    @Test @MainActor func `a call made on the main actor runs at once`() {
        var calls = 0
        let call = OwnerCall(on: MainActor.shared) { calls += 1 }
        call()
        #expect(calls == 1)
        call()
        #expect(calls == 2)
    }

    @Test @MainActor func `a call for later does not run at once, even on its actor`() async {
        let made = AsyncLatch()
        var calls = 0
        let call = OwnerCall(on: MainActor.shared) {
            calls += 1
            made.open()
        }
        call.later()
        #expect(calls == 0)
        await made.wait()
        #expect(calls == 1)
    }

    @Test @MainActor func `a call made on another actor hops to its actor`() async {
        let owner = Owner()
        let made = AsyncLatch()
        let calls = await owner.makeCalls(whenDone: made)
        for call in calls { call() }
        await made.wait()
        #expect(await owner.counts == [1])
    }

    @Test func `a call does not keep its actor alive and does not run after the actor's release`() async {
        let made = AsyncLatch()
        let clock = ManualClock()
        var owner: Owner? = Owner()
        weak var gone: Owner?
        gone = owner
        let isMade = Locked(false)
        let call = await owner?.makeCall { isMade.withLock { $0 = true } }
        let later = await owner?.makeCalls(whenDone: made).first
        later?(after: .seconds(1), clock: clock)
        await clock.sleepers(atLeast: 1)
        owner = nil
        #expect(gone == nil)
        call?()
        clock.advance(by: .seconds(1))
        #expect(!isMade.withLock { $0 })
    }

    @Test func `a delayed call runs on its actor`() async {
        let made = AsyncLatch()
        let clock = ManualClock()
        let owner = Owner()
        for call in await owner.makeCalls(whenDone: made) { call(after: .seconds(2), clock: clock) }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(atLeast: 1)
        #expect(await owner.counts == [0])
        clock.advance(by: .seconds(1))
        await made.wait()
        #expect(await owner.counts == [1])
    }

    @Test func `a call made on its actor hops if alwaysHops is set`() async {
        let isMade = Locked(false)
        let made = AsyncLatch()
        let owner = Owner()
        let call = await owner.makeCall {
            isMade.withLock { $0 = true }
            made.open()
        }
        await owner.run {
            OwnerCall.alwaysHops.withValue(true) { call() }
            #expect(!isMade.withLock { $0 })
        }
        await made.wait()
        #expect(isMade.withLock { $0 })
    }

    #if os(macOS) || os(Linux)
        @Test func `creating a call outside its actor traps`() async {
            await #expect(processExitsWith: .failure) {
                _ = OwnerCall(on: Owner()) {}
            }
        }
    #endif
}

extension Owner {
    fileprivate func makeCall(_ work: @escaping @Sendable () -> Void) -> OwnerCall {
        OwnerCall(on: self, work)
    }

    fileprivate func run(_ body: @Sendable () -> Void) {
        body()
    }
}
