import BackplaneConcurrency
import TestSupport
import Testing

@testable import BackplaneFeatures

private enum Caller {
    @TaskLocal static var number: Int?
}

/// Findings of the test, collected from any thread.
private final class Findings: Sendable {
    let loads = Locked(0)
    let strangers = Locked(0)
    let endings = Locked<[String: Int]>([:])

    func count(_ ending: String) {
        endings.withLock { $0[ending, default: 0] += 1 }
    }
}

/// Ten thousand callers that use a few keys at random.
@Suite(.timeLimit(.minutes(5)))
struct SharedLoadsStressTests {
    @Test(.rule("C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11"))
    func `each of 10 000 random callers resumes once`() async throws {
        let findings = Findings()
        let loads = SharedLoads<Int, Int>(linger: .microseconds(50)) { key in
            findings.loads.withLock { $0 += 1 }
            if Caller.number != nil { findings.strangers.withLock { $0 += 1 } }
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            if Int.random(in: 0..<10) == 0 { throw Failure() }
            return key
        }
        let callers = 10_000
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<callers {
                // At most as many callers run at a time as in a busy app.
                if number >= 200 { await group.next() }
                group.addTask {
                    await Caller.$number.withValue(number) { await call(loads, findings) }
                }
            }
        }
        let endings = findings.endings.withLock { $0 }
        #expect(endings.values.reduce(0, +) == callers)
        #expect(endings["value"] != nil && endings["failure"] != nil && endings["cancelled"] != nil)
        #expect(endings["wrong value"] == nil)
        #expect(endings["cancelled without asking for it"] == nil)
        #expect(findings.strangers.withLock { $0 } == 0, "C3: a load saw a caller's task-local value.")
        #expect(findings.loads.withLock { $0 } < callers, "No load was shared.")
        // C11: an identical later call always completes.
        for key in 0..<4 { _ = try? await loads.value(for: key) }
        while !loads.isIdle { await Task.yield() }
    }

    private func call(_ loads: SharedLoads<Int, Int>, _ findings: Findings) async {
        let key = Int.random(in: 0..<4)
        let task = Task {
            switch Int.random(in: 0..<20) {
            case 0: try await loads.reload(key)
            default: try await loads.value(for: key)
            }
        }
        let isLeaving = Int.random(in: 0..<3) == 0
        if isLeaving {
            for _ in 0..<Int.random(in: 0..<10) { await Task.yield() }
            task.cancel()
        }
        if Int.random(in: 0..<50) == 0 { loads.invalidate(key) }
        switch await task.result {
        case .success(let value): findings.count(value == key ? "value" : "wrong value")
        case .failure(is Failure): findings.count("failure")
        case .failure: findings.count(isLeaving ? "cancelled" : "cancelled without asking for it")
        }
    }
}
