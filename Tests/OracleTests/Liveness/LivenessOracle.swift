import BackplaneConcurrency

/// Runs plans, and shortens those that fail.
enum LivenessOracle {
    typealias Fault = LivenessRecord.Fault

    /// Runs a plan on the calling thread.
    static func run(
        _ plan: LivenessPlan,
        planted: PlantedFault? = nil,
        keepsLog: Bool = false
    ) -> LivenessRecord {
        var execution = SeededExecution(seed: plan.seed)
        let server = LivenessServer(clock: execution.clock, replacesIDs: plan.replacesIDs, count: plan.count)
        server.state.withLock { $0.record.keepsLog = keepsLog }
        let trace = LivenessTrace(plan: plan, fault: planted, server: server, clock: execution.clock)
        var phases: [@Sendable (LivenessTrace) async -> Void] = [{ await $0.open() }]
        for turn in plan.turns {
            phases += [{ await $0.perform(turn) }, { await $0.inspect() }]
        }
        for phase in phases + LivenessTrace.end {
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

    /// Runs many plans, and returns a report of each kind of fault.
    static func run(_ allSeeds: [UInt64]) -> [String] {
        var seeds: [Fault: [UInt64]] = [:]
        for seed in allSeeds {
            if let fault = Self.run(LivenessPlan(seed: seed)).fault { seeds[fault, default: []].append(seed) }
        }
        return seeds.sorted { $0.value.count > $1.value.count }.map { fault, seeds in
            "\(fault): \(seeds.count) of \(allSeeds.count) traces, " + report(fault, seeds)
        }
    }

    /// Returns the shortest trace with a fault.
    private static func report(_ fault: Fault, _ seeds: [UInt64]) -> String {
        let plans = seeds.prefix(3).map { seed in
            LivenessPlan(seed: seed).shortened { run($0).fault == fault }
        }
        guard let plan = plans.min(by: { $0.steps.count < $1.steps.count }) else { return "" }
        let how = "replay with BACKPLANE_SEED=\(plan.seed) BACKPLANE_ORACLE_TRACES=1, as with \(seeds.prefix(9)):"
        return ([how, plan.summary] + run(plan, keepsLog: true).log).joined(separator: "\n")
    }
}
