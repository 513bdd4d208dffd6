import BackplaneTesting
import TestSupport
import Testing

/// The log of a trace and the rule violations in it.
struct TraceRecord: Sendable {
    var faults: [String] = []
    var log: [String] = []

    mutating func blame(_ fault: String) {
        guard !faults.contains(fault) else { return }
        faults.append(fault)
        log.append("FAULT \(fault)")
    }

    /// Runs many traces with different seeds and fails the test if a trace violates a rule.
    static func run(_ trace: @escaping @Sendable (_ seed: UInt64) -> TraceRecord) async {
        let run = RandomRun(count: 10_000, countVariable: "BACKPLANE_ORACLE_TRACES")
        let failure = await SeededExecution.onThread { () -> String? in
            var first: (seed: UInt64, record: TraceRecord)?
            var kinds: [String: (count: Int, seed: UInt64)] = [:]
            for seed in (0..<UInt64(run.count)).map({ run.seed &+ $0 }) {
                let record = trace(seed)
                if record.faults.isEmpty { continue }
                if first == nil { first = (seed, record) }
                for fault in Set(record.faults.map { $0.filter { !$0.isNumber } }) {
                    kinds[fault, default: (0, seed)].count += 1
                }
            }
            guard let first else { return nil }
            let summary = kinds.sorted { $0.value.count > $1.value.count }
                .map { "\($0.value.count) of \(run.count) traces, first with seed \($0.value.seed): \($0.key)" }
            let how = "replay with BACKPLANE_SEED=\(first.seed) BACKPLANE_ORACLE_TRACES=1:"
            return (summary + [how] + first.record.log).joined(separator: "\n")
        }
        if let failure { Issue.record("\(failure)") }
    }
}
