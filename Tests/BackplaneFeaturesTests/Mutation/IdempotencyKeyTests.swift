import TestSupport
import Testing

@testable import BackplaneFeatures

struct IdempotencyKeyTests {
    @Test func `the description of a key is a random UUID`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let text = IdempotencyKey(using: &generator).description
            #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
    }

    @Test func `a key is read from its description`() {
        for text in ["0123abcd-ef45-4678-9abc-def001020304", "00000000-0000-4000-8000-000000000000"] {
            #expect(IdempotencyKey(text)?.description == text)
        }
    }

    @Test func `all generated keys are different`() {
        #expect(Set((0..<1_000).map { _ in IdempotencyKey() }).count == 1_000)
        let key = IdempotencyKey()
        #expect(key == key)
    }
}
