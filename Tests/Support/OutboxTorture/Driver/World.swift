import BackplaneConformance
import BackplaneTesting
import Foundation
import GRDB
import TestSupport

/// One outbox file, one server, and the processes that use them.
final class World {
    static let accounts = ["ada", "bob"]
    let server: TortureServer
    var generator: SeededGenerator
    var report = Report()
    /// Whether the disk may be full, so that processes may not save, or not even start.
    var mayBeFull = false
    /// How much the clocks of all processes are ahead, in seconds.
    var clockOffset = 0
    private let files: URL
    private let journals: URL
    private let http: ScriptedServer
    private let options: Options
    private var blocks: [Oracle.Block] = []
    private var generation = 0
    private var writers = 0
    private let seed: UInt64
    private var evidence = Evidence()

    /// Starts a server; the outbox is in `files`, or else in a temporary directory.
    init(_ options: Options, seed: UInt64, files: URL? = nil) throws {
        self.seed = seed
        let server = TortureServer(seed: seed, ablation: options.ablation)
        self.server = server
        self.options = options
        generator = SeededGenerator(seed: seed)
        journals = FileManager.default.temporaryDirectory.appending(path: "outbox-torture-\(UUID().uuidString)")
        self.files = files ?? journals
        for directory in [journals, self.files.appending(path: "inbox")] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        http = try ScriptedServer(exchange: { request, connection in await server.answer(request, on: connection) })
    }

    deinit {
        http.shutDown()
        try? FileManager.default.removeItem(at: journals)
    }

    /// The outbox.
    var path: String { files.appending(path: "outbox.sqlite").path }

    /// The numbers of the operations that were given out last.
    var lastNumbers: Range<Int> { blocks.last?.numbers ?? 1..<1 }

    /// Starts a process that enqueues operations for a user, by default a random one.
    ///
    /// `beside` tells that another process runs already.
    func start(
        as account: String? = nil,
        count: Int,
        beside isBeside: Bool = false,
        _ change: (inout ClientOrders) -> Void = { _ in }
    ) throws -> ChildProcess {
        if !isBeside { generation += 1 }
        let earlier = savedOperations
        writers += 1
        var orders = ClientOrders(
            file: path,
            inbox: files.appending(path: "inbox").path,
            journal: journal(of: writers),
            port: http.port,
            account: account ?? Self.accounts[generator.chance(70) ? 0 : 1],
            numbers: reserve(count)
        )
        orders.earlier = earlier
        orders.ablation = options.ablation
        orders.clockOffset = clockOffset
        if options.ablation == .ignoreKeyWindow { orders.keyWindow = 3650 * 86_400 }
        // Some of these clients never drain, and the run that shows it need not wait long.
        if options.ablation != nil { orders.lifetime = 8 }
        change(&orders)
        let argument = String(decoding: try JSONEncoder().encode(orders), as: UTF8.self)
        evidence.add("process \(writers) starts", [argument])
        return try ChildProcess(options.program, ["client", argument])
    }

    /// Gives out numbers for more operations of the process that was started last.
    func reserve(_ count: Int) -> Range<Int> {
        let first = lastNumbers.upperBound
        blocks.append(Oracle.Block(numbers: first..<first + count, writer: writers, generation: generation))
        return first..<first + count
    }

    // MARK: Journals

    private func journal(of writer: Int) -> String { journals.appending(path: "journal-\(writer)").path }

    private var entries: [[JournalEntry]] {
        writers == 0 ? [] : (1...writers).map { Journal.entries(of: journal(of: $0)) }
    }

    /// The operations that processes have saved until now.
    private var savedOperations: [TortureOperation] {
        var (operations, saved) = ([] as [TortureOperation], [] as Set<Int>)
        for entry in entries.joined() {
            switch entry {
            case .saving(let operation, _): operations.append(operation)
            case .saved(let number): saved.insert(number)
            default: break
            }
        }
        return operations.filter { saved.contains($0.number) }
    }

    // MARK: Moments

    /// Kills a process, at a random moment within so many milliseconds.
    func kill(_ child: ChildProcess, at moment: String, within milliseconds: Int = 1) async {
        let wasKilled = await child.end(after: generator.below(milliseconds))
        evidence.add("a process ended \(moment), after it had written", child.lines)
        evidence.addRows(of: path)
        for line in child.lines where line.hasPrefix("mismatch") { fail(.response, line) }
        if wasKilled {
            report.kills += 1
            report.moments[moment, default: 0] += 1
        } else if !mayBeFull || child.outcome != .exited(Client.cannotOpen) {
            fail(.ended, "\(String(describing: child.outcome)) after \(child.lines.suffix(3))")
        }
    }

    /// Waits for a line of a process.
    func wait(for marker: String..., of child: ChildProcess) async {
        // The kill that follows finds out whether the process has ended instead.
        _ = await child.writes(marker)
    }

    /// Waits until the server holds an operation of a process, or the process has nothing to send.
    func waitUntilHeld(_ child: ChildProcess) async {
        let server = server
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.state.wait { $0.held > 0 } }
            group.addTask { _ = await child.writes(["idle"]) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Opens the file as another program does.
    func connect(_ busyMode: Database.BusyMode = .timeout(30)) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = busyMode
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Suspends a process that is in no transaction, because that would lock the file for all.
    func suspend(_ child: ChildProcess) throws {
        let file = try connect(.immediateError)
        while true {
            child.suspend()
            do {
                return try file.inTransaction(.immediate) { _ in .rollback }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                child.resume()
            }
        }
    }

    func fail(_ violation: Violation, _ detail: String) { report.add(violation, detail) }

    // MARK: The end

    /// Has everything of a user sent, and returns what is left.
    func drain(_ account: String, _ change: (inout ClientOrders) -> Void = { _ in }) async throws -> Ending {
        let child = try start(as: account, count: 0) { orders in
            orders.drains = true
            change(&orders)
        }
        await child.hasEnded()
        for line in child.lines where line.hasPrefix("mismatch") { fail(.response, line) }
        if child.outcome == .killed {
            fail(.liveness, "the operations of \(account) are not drained, after \(child.lines.suffix(5))")
        } else if child.outcome != .exited(0) {
            fail(.ended, "\(String(describing: child.outcome)) after \(child.lines.suffix(3))")
        }
        evidence.add("a process has drained for \(account)", child.lines)
        evidence.addRows(of: path)
        let line = child.lines.last { $0.hasPrefix("ending ") }?.dropFirst("ending ".count)
        return try line.map { try JSONDecoder().decode(Ending.self, from: Data($0.utf8)) } ?? Ending()
    }

    /// Ends all faults, has everything sent, and compares the histories.
    func finish(_ change: (inout ClientOrders) -> Void = { _ in }) async throws -> Report {
        server.heal()
        let start = ContinuousClock.now
        var endings: [Ending] = []
        for account in Self.accounts { endings.append(try await drain(account, change)) }
        report.longestDrain = (ContinuousClock.now - start) / .seconds(1)
        // Before anything else opens the file, because that changes it.
        let bytes = ["", "-wal", "-shm", "-journal"].reduce(into: Data()) { bytes, suffix in
            bytes += (try? Data(contentsOf: URL(filePath: path + suffix))) ?? Data()
        }
        let state = server.state.value
        let oracle = Oracle(
            blocks: blocks,
            journals: entries,
            history: state.history,
            records: state.records.values,
            endings: endings,
            keys: try await connect().read { try Set(String.fetchAll($0, sql: "SELECT id FROM operation")) },
            bytes: bytes,
            mayBeFull: mayBeFull
        )
        for (violation, detail) in oracle.violations() { report.add(violation, detail) }
        if !report.violations.isEmpty, options.ablation == nil {
            evidence.add(state.history)
            say("  repeat this file with --world \(seed); its story is in \(try evidence.write(seed: seed).path)")
        }
        report.faults = state.faults
        report.operations = oracle.saved.count
        report.executions = state.history.exchanges.count { $0.execution != nil }
        report.mostRequests = oracle.exchanges.values.map(\.count).max() ?? 0
        report.decisions = [
            "discarded": oracle.discarding.count, "edited": oracle.edited.count, "sent again": oracle.retried.count,
            "left": endings.flatMap(\.left).count, "merged": oracle.resolved.count, "not saved": oracle.refused.count,
            "found by a question": state.history.findings.count,
        ].filter { $0.value > 0 }
        return report
    }
}
