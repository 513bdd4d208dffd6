import Testing

@testable import BackplaneFeatures

struct RetryPolicyTests {
    @Test func `delays are random below a bound that doubles up to the limit`() {
        let policy = RetryPolicy(count: 100, base: .seconds(1), limit: .seconds(10))
        var generator = SeededGenerator(seed: 1)
        for (attempts, bound) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (100, 10)] {
            let delays = (0..<1_000).compactMap { _ in policy.delay(after: attempts, using: &generator) }
            #expect(delays.count == 1_000)
            #expect(delays.allSatisfy { (.zero ... .seconds(bound)).contains($0) })
            #expect((delays.max() ?? .zero) > .seconds(bound) * 0.95)
            #expect((delays.min() ?? .zero) < .seconds(bound) * 0.05)
        }
    }

    @Test func `after the last there is no delay`() {
        var generator = SeededGenerator(seed: 1)
        #expect(RetryPolicy(count: 2).delay(after: 2, using: &generator) != nil)
        #expect(RetryPolicy(count: 2).delay(after: 3, using: &generator) == nil)
        #expect(RetryPolicy.never.delay(after: 1, using: &generator) == nil)
    }
}
