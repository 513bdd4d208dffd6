/// A row of the table of figures: a measurement and its limit.
struct Figure: Sendable {
    enum Measure: Sendable {
        case time(@Sendable (_ owner: any Actor) -> Comparison)
        case bytes(@Sendable (_ owner: any Actor) async throws -> Double?)
        /// Times requests to a server in this process.
        case requests(@Sendable (_ server: LoopbackServer) throws -> Comparison)
        /// Times transactions of subject and baseline on one disk, on which the result depends.
        case transactions(@Sendable () async throws -> Comparison)
        /// Times subject and baseline; the result is the difference in microseconds.
        case excess(@Sendable () throws -> Comparison)
        /// Counts events that must not happen more often than the limit.
        case count(@Sendable () async throws -> Int)
    }

    let id: String
    let limit: Double
    /// The actor of the motherboard under test, on which all code of the figure runs.
    var owner: any Actor = MainActor.shared
    let measure: Measure

    static let all = [
        Figure(id: "hop", limit: 2, measure: .time { Comparison(of: .hop(on: $0)) }),
        Figure(id: "hop-actor", limit: 2, owner: Elsewhere(), measure: .time { Comparison(of: .hop(on: $0)) }),
        Figure(id: "hop-queued", limit: 4, measure: .time { Comparison(of: .queuedHop(on: $0)) }),
        Figure(
            id: "hop-10k",
            limit: 1.5,
            measure: .time { Comparison(of: .hop(on: $0, among: 10_000), with: .hop(on: $0)) }
        ),
        Figure(id: "command", limit: 2.5, measure: .time { Comparison(of: .command(on: $0)) }),
        Figure(id: "command-handle", limit: 1, measure: .time { Comparison(of: .commandByHandle(on: $0)) }),
        Figure(id: "action-4", limit: 4, measure: .time { Comparison(of: .action(on: $0, levels: 4)) }),
        // It includes activations of two boards, an output through the queue, and four allocations:
        // the waiting activation and its input, the purpose of the gate board, and the output.
        Figure(id: "gated", limit: 22, measure: .time { Comparison(of: .gatedActivation(on: $0)) }),
        Figure(
            id: "scoped",
            limit: 1.5,
            measure: .time { Comparison(of: .scopedActivation(on: $0), with: .activation(on: $0)) }
        ),
        // The time for each of 1,000 contributions, in order.
        Figure(id: "contributions-1k", limit: 60, measure: .time { Comparison(of: .contributions(1_000, on: $0)) }),
        Figure(id: "cycle", limit: 8, measure: .time { Comparison(of: .cycle(on: $0)) }),
        // The baseline is a dictionary with as many objects, which must also fetch them from
        // memory.
        Figure(
            id: "cycle-100k",
            limit: 2,
            measure: .time {
                Comparison(of: .cycle(on: $0, amongLive: 100_000), with: .dictionaryCycle(among: 100_000))
            }
        ),
        Figure(id: "install-100k", limit: 15, measure: .time { Comparison(of: .install(100_000, on: $0)) }),
        // The time for each board, compared with a sixteenth of the depth.
        Figure(
            id: "nest-1600",
            limit: 2,
            measure: .time {
                Comparison(of: .nest(1_600, levels: 1_600, on: $0), with: .nest(1_600, levels: 100, on: $0))
            }
        ),
        Figure(
            id: "push-pop",
            limit: 60,
            measure: .time { Comparison(of: .pushAndPop(on: $0), with: .bareArray()) }
        ),
        Figure(id: "link", limit: 25, measure: .time { Comparison(of: .link(on: $0)) }),
        Figure(
            id: "link-10k",
            limit: 1.8,
            measure: .time { Comparison(of: .link(amongTemplates: 10_000, on: $0), with: .link(on: $0)) }
        ),
        Figure(id: "link-hostile", limit: 2_500, measure: .time { Comparison(of: .hostileLink(on: $0)) }),
        Figure(id: "memory-100k", limit: 360, measure: .bytes { heapBytesPerLiveBoard(100_000, on: $0) }),
        // It does not run on the main actor: on Linux, the wake-up time of its queue varies by more
        // than the whole measurement.
        Figure(
            id: "task",
            limit: 3.5,
            owner: Elsewhere(),
            measure: .time { Comparison(of: .taskBoard(on: $0), with: .bareTask(on: $0)) }
        ),
        // The time for each mutation: ten times as many mutations may take at most twelve times as
        // long.
        Figure(
            id: "mutation-log",
            limit: 1.2,
            owner: Elsewhere(),
            measure: .time { Comparison(of: .mutationLog(10_000, on: $0), with: .mutationLog(1_000, on: $0)) }
        ),
        Figure(id: "fold", limit: 0, measure: .count { try await excessFolds(among: 1_000) }),
        Figure(
            id: "record-100k",
            limit: 2,
            owner: Elsewhere(),
            measure: .time {
                Comparison(of: .loadRecord(among: 100_000, on: $0), with: .loadRecord(among: 100, on: $0))
            }
        ),
        Figure(id: "record-memory", limit: 1_024, measure: .bytes { await heapBytesPerRecord(100_000, on: $0) }),
        Figure(
            id: "loader-value",
            limit: 1.5,
            measure: .time { Comparison(of: .loaderValue(on: $0), with: .observedProperty()) }
        ),
        Figure(
            id: "join",
            limit: 2.8,
            owner: Elsewhere(),
            measure: .time { _ in Comparison(of: .join(), with: .bareContinuation()) }
        ),
        // Before the other figures with files, because they free memory a moment after their end.
        Figure(
            id: "outbox-memory",
            limit: 4 * 1024 * 1024,
            owner: Elsewhere(),
            measure: .bytes { _ in try await heapBytesOfOutbox(pending: 100_000, sending: 1_000) }
        ),
        Figure(
            id: "outbox-enqueue",
            limit: 1.25,
            owner: Elsewhere(),
            measure: .transactions { try await .outboxEnqueue() }
        ),
        Figure(
            id: "outbox-drain",
            limit: 2,
            owner: Elsewhere(),
            measure: .transactions { try await .outboxDrain(10_000) }
        ),
        Figure(id: "cache-hit", limit: 3, owner: Elsewhere(), measure: .excess { try .memoryHit() }),
        Figure(id: "cache-hit-disk", limit: 1.5, owner: Elsewhere(), measure: .transactions { try .diskHit() }),
        .get("auth-get", limit: 1.4, by: .urlSession, inFlight: 1),
        .get("auth-get-64", limit: 1.35, by: .urlSession, inFlight: 64),
        .get("auth-get-ahc", limit: 1.4, by: .asyncHTTPClient, inFlight: 1),
        .get("auth-get-ahc-64", limit: 1.25, by: .asyncHTTPClient, inFlight: 64),
        Figure(id: "refresh-herd", limit: 1, measure: .count { try await herd(of: 10_000).refreshes }),
        Figure(id: "refresh-herd-dead", limit: 0, measure: .count { try await herd(of: 10_000).dead }),
    ]

    /// Returns the figure for the overhead that a controller adds to an authenticated request.
    private static func get(_ id: String, limit: Double, by kind: HTTPClientKind, inFlight: Int) -> Figure {
        Figure(
            id: id,
            limit: limit,
            owner: Elsewhere(),
            measure: .requests { try .authenticatedGet(from: $0, by: kind, inFlight: inFlight) }
        )
    }

    static subscript(id: String) -> Figure? { all.first { $0.id == id } }
}

/// An actor other than the main actor.
private actor Elsewhere {}

extension Figure {
    /// The number of attempts to measure a row whose samples differ too much.
    private static let attempts = 4
    /// The spread above which the machine counts as busy with other work.
    private static let noise = 0.1

    /// Measures and prints the row, and returns whether it keeps its limit.
    ///
    /// If a row is over its limit and its samples differ too much, the result says nothing about
    /// the library. Then the row prints `noisy` and is measured again. If it stays noisy, the limit
    /// is not checked.
    func isKept(_ effort: Effort) async -> Bool {
        for attempt in 1...Self.attempts {
            let value: (value: Double, spread: Double)?
            do {
                value = try await self.value(on: owner, effort)
            } catch {
                print("figure \(id) failed: \(error)")
                return false
            }
            guard let (value, spread) = value else {
                print("skipped \(id): this system does not report how much of the heap is in use")
                return true
            }
            // The limit applies to the value as printed.
            let isKept = (value * 100).rounded() <= limit * 100
            let isNoisy = !isKept && spread > Self.noise
            print(
                "figure \(id) \(value.fixed(2)) limit \(limit.shortest) \(isKept ? "ok" : isNoisy ? "noisy" : "over")"
            )
            if !isNoisy { return isKept }
            if attempt == Self.attempts { print("# \(id): the machine is too busy for a result") }
        }
        return true
    }

    private func value(
        on owner: isolated any Actor,
        _ effort: Effort
    ) async throws -> (value: Double, spread: Double)? {
        switch measure {
        case .bytes(let each): return try await each(owner).map { ($0, 0) }
        case .count(let count): return (Double(try await count()), 0)
        case .time(let comparison): return await ratio(of: comparison(owner), effort)
        case .excess(let comparison):
            let reading = try await read(comparison(), effort)
            return (max(0, reading.subject - reading.baseline) / 1000, reading.spread)
        case .transactions(let comparison): return await ratio(of: try await comparison(), effort)
        case .requests(let comparison):
            let server = try await LoopbackServer()
            let ratio = await ratio(of: try comparison(server), effort)
            try await server.stop()
            return ratio
        }
    }

    private func ratio(of comparison: Comparison, _ effort: Effort) async -> (value: Double, spread: Double) {
        let reading = await read(comparison, effort)
        return (reading.ratio, reading.spread)
    }

    private func read(_ comparison: Comparison, _ effort: Effort) async -> Reading {
        let reading = await comparison.measure(effort)
        print(
            "# \(id): \(reading.subject.fixed(1)) ns, baseline \(reading.baseline.fixed(1)) ns,",
            "spread \((reading.spread * 100).fixed(1)) %"
        )
        if case .transactions = measure {
            let (rate, bareRate) = (1e9 / reading.subject, 1e9 / reading.baseline)
            print("# \(id): \(rate.fixed(1)) rows per second, baseline \(bareRate.fixed(1))")
        }
        return reading
    }

    /// Only runs the operation that the figure times; returns `false` if the figure is not a time.
    func perform(count: Int) async -> Bool {
        await perform(count: count, on: owner)
    }

    private func perform(count: Int, on owner: isolated any Actor) async -> Bool {
        guard case .time(let comparison) = measure else { return false }
        await comparison(owner).subject.perform(count)
        return true
    }
}

extension Double {
    /// Returns the number with this number of decimals.
    fileprivate func fixed(_ decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((self * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
    }

    /// The number, without decimals if it is an integer.
    fileprivate var shortest: String {
        self == rounded() ? String(Int(self)) : String(self)
    }
}
