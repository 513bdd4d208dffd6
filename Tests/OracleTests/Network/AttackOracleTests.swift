import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AttackOracleTests {
    @Test(.rule("N23", "N24", "N26", "N28", "N29", "N33"))
    func `no fault of a network leads to a wrong report`() async {
        let run = RandomRun(count: 10_000, countVariable: "BACKPLANE_ORACLE_TRACES")
        let report = await SeededExecution.onThread { AttackReport.of(run) }
        #expect(report.isEmpty, "\(report)")
    }

    @Test(.rule("N27")) func `no call gets an older version from the cache than an earlier call`() async {
        await TraceRecord.run { CacheAttack.run(seed: $0) }
    }

    @Test(.rule("N23"), arguments: AttackPlant.allCases)
    func `an attack finds a planted fault of the client`(_ plant: AttackPlant) async {
        let faults = await SeededExecution.onThread {
            for seed in 0..<UInt64(2000) {
                let faults = AttackTrace.run(seed: seed, plant).faults.filter { $0.hasPrefix(plant.rule) }
                if !faults.isEmpty { return faults }
            }
            return []
        }
        #expect(!faults.isEmpty)
    }
}

/// The violations of a run of attacks, each with its shortest trace.
private enum AttackReport {
    private struct Finding {
        var count = 0
        var seed: UInt64 = 0
        var log: [String] = []
    }

    static func of(_ run: RandomRun) -> String {
        var findings: [String: Finding] = [:]
        for seed in (0..<UInt64(run.count)).map({ run.seed &+ $0 }) {
            let record = AttackTrace.run(seed: seed)
            for kind in Set(record.faults.map(kind(of:))) {
                findings[kind, default: Finding()].count += 1
                let log = shortest(record, of: kind, seed: seed)
                let isShorter = findings[kind].map { $0.log.isEmpty || log.count < $0.log.count } ?? true
                if isShorter {
                    findings[kind]?.seed = seed
                    findings[kind]?.log = log
                }
            }
        }
        return findings.sorted { $0.value.count > $1.value.count }
            .map { kind, finding in
                let how = "replay with BACKPLANE_SEED=\(finding.seed) BACKPLANE_ORACLE_TRACES=1"
                return (["\(finding.count) of \(run.count) traces: \(kind); \(how)"] + finding.log)
                    .joined(separator: "\n  ")
            }
            .joined(separator: "\n")
    }

    /// Returns the log of the trace with one use, if that violates the same rule.
    private static func shortest(_ record: TraceRecord, of kind: String, seed: UInt64) -> [String] {
        for use in 0..<7 {
            let single = AttackTrace.run(seed: seed, only: [use])
            if single.faults.contains(where: { Self.kind(of: $0) == kind }) { return single.log }
        }
        return record.log
    }

    private static func kind(of fault: String) -> String {
        // Without the text that leaks, and without numbers.
        let name = fault.firstRange(of: "has a secret").map { String(fault[..<$0.upperBound]) } ?? fault
        return name.prefix(4) + name.dropFirst(4).filter { !$0.isNumber }
    }
}
