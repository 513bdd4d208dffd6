import Testing

@testable import WebHost

@Suite struct DeadlinesTests {
    @Test func `IDs are due in the order of their times, even after they were moved or removed`() {
        var deadlines = Deadlines<Int>()
        var expected: [Int: Duration] = [:]
        for step in 0..<10_000 {
            let (id, due) = (step * 7919 % 211, Duration.seconds(step * 104_729 % 997))
            if step.isMultiple(of: 3) {
                deadlines.remove(id)
                expected[id] = nil
            } else {
                deadlines.set(id, at: due)
                expected[id] = due
            }
            #expect(deadlines.earliest == expected.values.min())
        }
        for now in stride(from: 0, through: 1000, by: 50) {
            let due = deadlines.removeDue(at: .seconds(now))
            #expect(Set(due) == Set(expected.filter { $0.value <= .seconds(now) }.keys))
            #expect(due.compactMap { expected[$0] } == due.compactMap { expected[$0] }.sorted())
            for id in due { expected[id] = nil }
            #expect(deadlines.earliest == expected.values.min())
        }
        #expect(deadlines.earliest == nil)
    }
}
