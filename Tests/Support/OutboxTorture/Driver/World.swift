import BackplaneTesting
import Foundation
import GRDB

/// One outbox file, one server, and the processes that use them.
final class World {
    static let accounts = ["ada", "bob"]
    let server: TortureServer
    var generator: SeededGenerator
    var report = Report()
    /// Whether a process may end by itself because it cannot open its outbox.
    var mayFailToOpen = false
    private let files: URL
    private let journals: URL
    private let http: ScriptedServer
    private let program: URL
    private let deletesBeforeSending: Bool
    private var blocks: [Comparison.Block] = []
    private var generation = 0
    private var writers = 0

    /// Starts a server; the outbox is in `files`, or else in a temporary directory.
    init(_ options: Options, seed: UInt64, files: URL? = nil) throws {
        let server = TortureServer(seed: seed)
        self.server = server
        generator = SeededGenerator(seed: seed)
        program = options.program
        deletesBeforeSending = options.ablation == .deleteBeforeSend
        journals = FileManager.default.temporaryDirectory.appending(path: "outbox-torture-\(UUID().uuidString)")
        self.files = files ?? journals
        try FileManager.default.createDirectory(at: journals, withIntermediateDirectories: true)
        http = try ScriptedServer(exchange: { request, connection in await server.answer(request, on: connection) })
        let remembersKeys = options.ablation != .noDedupe
        server.state.update { $0.remembersKeys = remembersKeys }
    }

    deinit {
        http.shutDown()
        try? FileManager.default.removeItem(at: journals)
    }

    /// The outbox.
    private var path: String { files.appending(path: "outbox.sqlite").path }

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
        writers += 1
        var orders = ClientOrders(
            file: path,
            journal: journals.appending(path: "journal-\(writers)").path,
            port: http.port,
            account: account ?? Self.accounts[generator.chance(70) ? 0 : 1],
            numbers: reserve(count)
        )
        orders.deletesBeforeSending = deletesBeforeSending
        // Such a client never drains, and the run that shows it need not wait long.
        if deletesBeforeSending { orders.lifetime = 5 }
        change(&orders)
        return try ChildProcess(program, ["client", String(decoding: JSONEncoder().encode(orders), as: UTF8.self)])
    }

    /// Gives out numbers for more operations of the process that was started last.
    func reserve(_ count: Int) -> Range<Int> {
        let first = lastNumbers.upperBound
        blocks.append(Comparison.Block(numbers: first..<first + count, writer: writers, generation: generation))
        return first..<first + count
    }

    // MARK: Moments

    /// Kills a process, at a random moment within so many milliseconds.
    func kill(_ child: ChildProcess, at moment: String, within milliseconds: Int = 1) async {
        defer {
            for line in child.lines where line.hasPrefix("mismatch") { fail("wrong response", line) }
        }
        if await child.end(after: generator.below(milliseconds)) {
            report.kills += 1
            report.moments[moment, default: 0] += 1
        } else if !mayFailToOpen || child.outcome != .exited(Client.cannotOpen) {
            fail("ended by itself", "\(String(describing: child.outcome)) after \(child.lines.suffix(3))")
        }
    }

    /// Waits for a line of a process.
    func wait(for marker: String, of child: ChildProcess) async {
        // The kill that follows finds out whether the process has ended instead.
        _ = await child.writes(marker)
    }

    /// Waits until the server holds an operation of a process.
    func waitUntilHeld(_ child: ChildProcess) async {
        let server = server
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.state.wait { $0.held > 0 } }
            group.addTask { await child.hasEnded() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Suspends a process that is in no transaction, because that would lock the file for all.
    func suspend(_ child: ChildProcess) throws {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let file = try DatabaseQueue(path: path, configuration: configuration)
        while true {
            child.suspend()
            do {
                return try file.inTransaction(.immediate) { _ in .rollback }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                child.resume()
            }
        }
    }

    func fail(_ kind: String, _ detail: String) {
        report.others[kind, default: 0] += 1
        print("  \(kind): \(detail)")
    }

    // MARK: The end

    /// Has everything of a user sent, and returns what is left in the file.
    func drain(_ account: String, _ change: (inout ClientOrders) -> Void = { _ in }) async throws -> [Int: String] {
        let child = try start(as: account, count: 0) { orders in
            orders.drains = true
            change(&orders)
        }
        await child.hasEnded()
        if child.outcome == .killed {
            fail("not drained", "the operations of \(account), after \(child.lines.suffix(5))")
        } else if child.outcome != .exited(0) {
            fail("ended by itself", "\(String(describing: child.outcome)) after \(child.lines.suffix(3))")
        }
        let words = child.lines.last(where: { $0.hasPrefix("left") })?.split(separator: " ").dropFirst().map(
            String.init
        )
        guard let words else { return [:] }
        let pairs = stride(from: 0, to: words.count - 1, by: 2).map { (Int(words[$0]) ?? 0, words[$0 + 1]) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Ends all faults, has everything sent, and compares the histories.
    func finish() async throws -> Report {
        server.heal()
        let start = ContinuousClock.now
        var left: [Int: String] = [:]
        for account in Self.accounts { left.merge(try await drain(account)) { first, _ in first } }
        report.longestDrain = (ContinuousClock.now - start) / .seconds(1)
        let state = server.state.value
        var comparison = Comparison(blocks: blocks, history: state.history, left: left)
        for writer in 1...writers {
            // A process that was killed at its start has no journal.
            let text = try? String(contentsOf: journals.appending(path: "journal-\(writer)"), encoding: .utf8)
            for line in (text ?? "").split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let number = words.last.flatMap({ Int($0) }) else { continue }
                if words.first == "saved" {
                    comparison.saved.insert(number)
                } else {
                    comparison.refused.insert(number)
                }
            }
        }
        comparison.add(to: &report)
        if state.changedBodies > 0 { report.others["changed bodies"] = state.changedBodies }
        report.faults = state.faults
        if !comparison.refused.isEmpty { report.faults["not saved"] = comparison.refused.count }
        return report
    }
}
