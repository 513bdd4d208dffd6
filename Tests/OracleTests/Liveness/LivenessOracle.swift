import BackplaneConcurrency
import Foundation

/// Runs plans, and shortens those that fail.
enum LivenessOracle {
    typealias Fault = LivenessRecord.Fault

    /// The faults that the library still has, which end no trace.
    ///
    /// `BACKPLANE_KNOWN_FAULTS=0` reports them like the others.
    static let known: Set<Fault> =
        isStrict
        ? []
        : [
            // A page renews the age of an inserted item that it does not contain.
            Fault(rule: "A28", text: "a load of a value that no server has written starts nothing"),
            // A loader joins a load whose closure has ignored its cancellation.
            Fault(rule: "A19", text: "loading is shown with a cancelled load only"),
            // A deletion, which follows a creation of the same item that is refused.
            Fault(rule: "A4", text: "a change of an item is sent whose creation was refused"),
            // A few of 10,000 traces each; whether the page or the oracle is wrong is open.
            Fault(rule: "A21", text: "an item that a page delivered is hidden"),
            Fault(rule: "A21", text: "an item that a page delivered is hidden after a change of it was settled"),
            Fault(rule: "A27", text: "an error outlives a newer value"),
            Fault(rule: "A29", text: "a load runs that nothing waits for"),
            Fault(rule: "A22", text: "a refresh starts nothing"),
        ]

    private static let isStrict = ProcessInfo.processInfo.environment["BACKPLANE_KNOWN_FAULTS"] == "0"

    /// Runs a plan on the calling thread.
    static func run(
        _ plan: LivenessPlan,
        known: Set<Fault> = [],
        planted: PlantedFault? = nil,
        keepsLog: Bool = false
    ) -> LivenessRecord {
        var execution = SeededExecution(seed: plan.seed)
        let server = LivenessServer(clock: execution.clock, replacesIDs: plan.replacesIDs, count: plan.count)
        server.state.withLock { state in
            state.record.known = known
            state.record.keepsLog = keepsLog
        }
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

    /// Runs many plans, and returns a report of each kind of fault, and how many traces had known
    /// faults.
    static func run(_ allSeeds: [UInt64]) -> (reports: [String], known: [Fault: Int]) {
        var seeds: [Fault: [UInt64]] = [:]
        var known: [Fault: Int] = [:]
        for seed in allSeeds {
            let record = Self.run(LivenessPlan(seed: seed), known: Self.known)
            if let fault = record.fault { seeds[fault, default: []].append(seed) }
            for fault in record.knownFaults { known[fault, default: 0] += 1 }
        }
        let reports = seeds.sorted { $0.value.count > $1.value.count }.map { fault, seeds in
            "\(fault): \(seeds.count) of \(allSeeds.count) traces, " + report(fault, seeds)
        }
        return (reports, known)
    }

    /// Returns the shortest trace with a fault.
    private static func report(_ fault: Fault, _ seeds: [UInt64]) -> String {
        let plans = seeds.prefix(3).map { seed in
            LivenessPlan(seed: seed).shortened { run($0, known: known).fault == fault }
        }
        guard let plan = plans.min(by: { $0.steps.count < $1.steps.count }) else { return "" }
        let how = "replay with BACKPLANE_SEED=\(plan.seed) BACKPLANE_ORACLE_TRACES=1, as with \(seeds.prefix(9)):"
        return ([how, plan.summary] + run(plan, known: known, keepsLog: true).log).joined(separator: "\n")
    }
}
