import BackplaneConcurrency
import Testing

private struct Refusal: Error {}

struct LockedTests {
    @Test func `one at a time changes the value`() async {
        let digits = Locked([Int](repeating: 0, count: 1_000))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    // Long enough for others to come in the middle, were they let in.
                    for _ in 0..<100 { digits.withLock { digits in digits = digits.map { $0 + 1 } } }
                }
            }
        }
        #expect(digits.withLock { $0 } == [Int](repeating: 800, count: 1_000))
    }

    @Test func `a body that throws lets the next one in`() {
        let count = Locked(1)
        #expect(throws: Refusal.self) { try count.withLock { _ in throw Refusal() } }
        #expect(count.withLock { $0 } == 1)
    }
}
