import BackplaneConcurrency
import Testing

private struct Refusal: Error {}

struct LockedTests {
    @Test func `only a single thread changes the value at a time`() async {
        let digits = Locked([Int](repeating: 0, count: 1_000))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    // Each change takes long enough for another thread to interfere if the lock
                    // allowed this.
                    for _ in 0..<100 { digits.withLock { digits in digits = digits.map { $0 + 1 } } }
                }
            }
        }
        #expect(digits.withLock { $0 } == [Int](repeating: 800, count: 1_000))
    }

    @Test func `a body that throws releases the lock`() {
        let count = Locked(1)
        #expect(throws: Refusal.self) { try count.withLock { _ in throw Refusal() } }
        #expect(count.withLock { $0 } == 1)
    }
}
