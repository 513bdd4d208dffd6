import BackplaneConcurrency
import BackplaneTesting
import Foundation

/// Runs plans, and reports the shortest one of each kind of fault.
enum LivenessOracle {
    /// The faults that the library still has: no trace ends at them.
    ///
    /// `BACKPLANE_KNOWN_FAULTS=0` reports them, too.
    static var known: Set<LivenessRecord.Fault> {
        let names = ProcessInfo.processInfo.environment["KNOWN"] ?? ""
        return Set(names.split(separator: ";").map { name in
            let parts = name.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
            return LivenessRecord.Fault(rule: parts[0], text: parts[1])
        })
    }

    /// Runs a plan on the calling thread.
    static func run(_ plan: LivenessPlan, known: Set<LivenessRecord.Fault> = [], fault: PlantedFault? = nil) -> LivenessRecord {
        var execution = SeededExecution(seed: plan.seed)
        let server = LivenessServer(clock: execution.clock, replacesIDs: plan.replacesIDs, count: plan.count)
        server.state.withLock { $0.record.known = known }
        let trace = LivenessTrace(plan: plan, fault: fault, server: server, clock: execution.clock)
        var phases: [@Sendable (LivenessTrace) async -> Void] = [{ await $0.open() }]
        for turn in plan.turns {
            phases += [{ await $0.perform(turn) }, { await $0.inspect() }]
        }
        phases += LivenessTrace.end
        for phase in phases + [{ await $0.close() }] {
            execution.start { await phase(trace) }
            if !execution.rest() { server.blame("A26", "the app does not come to rest", "") }
            if server.state.withLock({ $0.record.fault != nil }) { break }
        }
        execution.start {
            await trace.close()
            server.close()
        }
        _ = execution.drain()
        return server.state.withLock { $0.record }
    }

    /// The first seed, the number and the shortest plan of each kind of fault in many traces.
    static func findings(_ run: RandomRun, known: Set<LivenessRecord.Fault> = [], fault: PlantedFault? = nil) -> [(fault: LivenessRecord.Fault, report: String)] {
        var seeds: [LivenessRecord.Fault: [UInt64]] = [:]
        for seed in (0..<UInt64(run.count)).map({ run.seed &+ $0 }) {
            if let fault = Self.run(LivenessPlan(seed: seed), known: known, fault: fault).fault { seeds[fault, default: []].append(seed) }
        }
        return seeds.sorted { $0.value.count > $1.value.count }.map { found, seeds in
            let plans = seeds.prefix(3).map { seed in
                LivenessPlan(seed: seed).shortened { Self.run($0, known: known, fault: fault).fault == found }
            }
            let plan = plans.min { $0.steps.count < $1.steps.count } ?? LivenessPlan(seed: run.seed)
            let head = "\(found.rule): \(found.text): \(seeds.count) of \(run.count) traces, as with the seeds \(seeds.prefix(5)); "
            let how = "replay with BACKPLANE_SEED=\(plan.seed) BACKPLANE_ORACLE_TRACES=1:"
            let log = [head + how, plan.summary] + Self.run(plan, known: known, fault: fault).log
            return (found, log.joined(separator: "\n"))
        }
    }
}
