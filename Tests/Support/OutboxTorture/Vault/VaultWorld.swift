import BackplaneConformance
import BackplaneTesting
import Foundation
import TestSupport

/// One vault file, one server, and the processes that use them, one generation after the other.
final class VaultWorld {
    /// The families that the next process may find, or `nil` for an empty vault.
    private var possible: Set<VaultFamily?> = [nil]
    private(set) var violations: [String] = []
    private(set) var kills = 0
    private(set) var repeats = 0
    private(set) var refreshes = 0
    private let server: VaultServer
    private let http: ScriptedServer
    private let directory: URL
    private let program: URL
    private let ablation: VaultOrders.Ablation?
    private var generator: SeededGenerator
    private var history: [String] = []

    /// Starts a server for the round of a seed.
    init(seed: UInt64, _ program: URL, _ ablation: VaultOrders.Ablation?) throws {
        let server = VaultServer(seed: seed)
        self.server = server
        self.program = program
        self.ablation = ablation
        generator = SeededGenerator(seed: ~seed)
        directory = FileManager.default.temporaryDirectory.appending(path: "vault-torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("the vault of somebody else".utf8).write(to: directory.appending(path: "vault.new"))
        http = try ScriptedServer(exchange: { request, connection in await server.answer(request, on: connection) })
    }

    deinit {
        http.shutDown()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Plays a round.
    ///
    /// - Returns: The violations, with the history of the round.
    func play() async throws -> [String] {
        // Without faults, no refresh token comes twice.
        let isCalm = generator.chance(20)
        if !isCalm, generator.chance(40) { server.state.update { $0.lossPercentage = 15 } }
        for _ in 0..<2 + generator.below(4) { try await playGeneration(isCalm: isCalm) }
        server.state.update { ($0.lossPercentage, $0.stall) = (0, nil) }
        try await check()
        let state = server.state.value
        (repeats, refreshes) = (state.repeats, state.refreshes)
        violations += state.violations
        if isCalm, state.repeats > 0 { violations.append("N2: a refresh token is used twice without any fault") }
        return violations.isEmpty ? [] : violations + history.map { "  \($0)" }
    }

    // MARK: Processes

    private func playGeneration(isCalm: Bool) async throws {
        let steps = (0..<2 + generator.below(12)).map { _ in step() }
        let hasExtension = generator.chance(60)
        let death = isCalm ? 0 : generator.below(5)
        let stall: VaultServer.Stall? = death == 1 ? (generator.chance(50) ? .before : .after) : nil
        server.state.update { ($0.stall, $0.isStalled) = (stall, false) }
        let account = generator.chance(70) ? "ada" : "bob"
        let app = try start { orders in
            (orders.account, orders.steps) = (account, steps)
            if death == 2 { orders.dyingAt = 1 + generator.below(40) }
        }
        let other =
            !hasExtension
            ? nil
            : try start { orders in
                orders.steps = Array(repeating: .request, count: 4 + generator.below(16))
                if death == 3 { orders.dyingAt = 1 + generator.below(30) }
            }
        switch death {
        case 1: await kill([app, other].compactMap(\.self), whenStalled: true)
        case 4: await kill([app, other].compactMap(\.self), whenStalled: false)
        default: break
        }
        await app.hasEnded()
        await other?.hasEnded()
        let before = possible
        read(app, mayBeKilled: death > 0)
        if let other { read(besideApp: other, app, before, mayBeKilled: death > 0) }
    }

    private func step() -> VaultOrders.Step {
        switch generator.below(100) {
        case ..<78: .request
        case ..<86: .replace
        case ..<93: .signIn
        default: .signOut
        }
    }

    private func start(_ change: (inout VaultOrders) -> Void) throws -> ChildProcess {
        var orders = VaultOrders(vault: directory.appending(path: "vault").path, port: http.port)
        orders.ablation = ablation
        change(&orders)
        return try ChildProcess(
            program,
            ["vault-client", String(decoding: JSONEncoder().encode(orders), as: UTF8.self)]
        )
    }

    /// Kills processes after a random time, or as soon as a refresh waits for its response.
    private func kill(_ children: [ChildProcess], whenStalled: Bool) async {
        if whenStalled {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [server] in await server.state.wait { $0.isStalled } }
                group.addTask { for child in children { await child.hasEnded() } }
                await group.next()
                group.cancelAll()
            }
        }
        let first = generator.below(children.count)
        for index in children.indices {
            let child = children[(first + index) % children.count]
            if await child.end(after: whenStalled ? 0 : generator.below(60)) { kills += 1 }
        }
    }

    // MARK: Histories

    /// Compares the lines of an app with what is possible, and learns what the next one may find.
    private func read(_ app: ChildProcess, mayBeKilled: Bool) {
        history.append("app, which may find \(name(possible)):")
        history += app.lines.map { "  \($0)" }
        for line in app.lines {
            let words = line.split(separator: " ").map(String.init)
            let family = words.dropFirst().first.flatMap { VaultFamily($0) }
            switch words[0] {
            case "loaded", "asks":
                if !possible.contains(family) {
                    violations.append("an app finds \(line), but only \(name(possible)) is possible")
                }
                possible = [family]
            case "signing-in", "replacing", "signing-out", "not-signed-out": possible.formUnion([family, nil])
            case "signed-in", "replaced": possible = [family]
            case "signed-out": possible = [nil]
            case "lost", "event", "not-replaced": readLoss(line, "app")
            case "working":
                if !possible.contains(where: { $0?.account == words[1] }) {
                    violations.append("N13: \(line), but only \(name(possible)) is possible")
                }
            case "unavailable": break
            default: violations.append("an app says: \(line)")
            }
        }
        checkEnd(of: app, mayBeKilled)
    }

    private func readLoss(_ line: String, _ who: String) {
        guard line == "event expired" || line.hasPrefix("lost") else { return }
        let families = server.state.value.families
        let isRevoked = possible.contains { $0.map { families[$0]?.isRevoked == true } ?? true }
        if !isRevoked { violations.append("N7: an \(who) loses the session \(name(possible)): \(line)") }
        possible.insert(nil)
    }

    /// Reads the lines of a process that only uses the vault, beside an app that changes it.
    private func read(
        besideApp other: ChildProcess,
        _ app: ChildProcess,
        _ before: Set<VaultFamily?>,
        mayBeKilled: Bool
    ) {
        history.append("extension:")
        history += other.lines.map { "  \($0)" }
        let changes = app.lines.filter { line in
            ["signing", "replacing"].contains { line.hasPrefix($0) }
        }
        let begun = changes.compactMap { VaultFamily($0.split(separator: " ").last ?? "") }
        let families = server.state.value.families
        var mine: VaultFamily?
        for line in other.lines {
            let words = line.split(separator: " ").map(String.init)
            switch words[0] {
            case "loaded", "asks":
                mine = words.dropFirst().first.flatMap { VaultFamily($0) }
                let isKnown = before.contains(mine) || mine.map(begun.contains) ?? !changes.isEmpty
                if !isKnown { violations.append("an extension finds \(line) after \(name(before))") }
            case "lost", "event":
                let isRevoked = mine.map { families[$0]?.isRevoked == true } ?? true
                if changes.isEmpty, !isRevoked, line == "event expired" || words[0] == "lost" {
                    violations.append("N7: an extension loses the session: \(line)")
                }
                if changes.isEmpty, isRevoked { possible.insert(nil) }
            case "working":
                if words[1] != mine?.account { violations.append("N12: an extension of \(name([mine])) is \(line)") }
            case "unavailable": break
            default: violations.append("an extension says: \(line)")
            }
        }
        checkEnd(of: other, mayBeKilled)
    }

    private func checkEnd(of child: ChildProcess, _ mayBeKilled: Bool) {
        if child.outcome == .exited(0) || mayBeKilled && child.outcome == .killed { return }
        violations.append("a process ends as \(String(describing: child.outcome)) after \(child.lines.suffix(3))")
    }

    private func name(_ families: Set<VaultFamily?>) -> String {
        families.map { $0?.description ?? "nobody" }.sorted().joined(separator: " or ")
    }

    // MARK: The end

    /// Starts a last process, which must have a session that works, or none (N13).
    private func check() async throws {
        let child = try start { $0.steps = Array(repeating: .request, count: 5) }
        await child.hasEnded()
        read(child, mayBeKilled: false)
        let families = server.state.value.families
        if let family = possible.first ?? nil, possible.count == 1, families[family]?.isRevoked == false {
            let works = child.lines.filter { $0.hasPrefix("working") }.count
            if works != 5 { violations.append("N11: the session \(family) works \(works) of 5 times at the end") }
        }
        let sibling = try? Data(contentsOf: directory.appending(path: "vault.new"))
        if sibling != Data("the vault of somebody else".utf8) {
            violations.append("N31: the vault of somebody else is gone")
        }
        guard possible == [nil] else { return }
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) where file != "vault.new" {
            let data = (try? Data(contentsOf: directory.appending(path: file))) ?? Data()
            if String(decoding: data, as: UTF8.self).contains("r.") {
                violations.append("N31: \(file) has tokens, but nobody is signed in")
            }
        }
    }
}

/// The run with vaults: two processes, one vault, and kills at every moment (N1 to N35).
enum VaultTorture {
    static let usage = """
        outbox-torture vaults [--seed NUMBER] [--rounds COUNT] [--ablation NAME]

          --seed      the seed of an earlier run; by default the time of day
          --rounds    how many vaults are played; 500 by default
          --ablation  leaves out a safeguard, and succeeds if a history shows that:
                      \(VaultOrders.Ablation.allCases.map(\.rawValue).joined(separator: ", "))
        """

    /// Plays the rounds.
    ///
    /// - Returns: Whether the run has passed.
    static func run(_ arguments: [String]) async throws -> Bool {
        var (seed, rounds) = (UInt64(Date().timeIntervalSince1970), 500)
        var ablation: VaultOrders.Ablation?
        var rest = arguments[...]
        while let name = rest.popFirst() {
            let value = rest.popFirst() ?? ""
            switch name {
            case "--seed": seed = UInt64(value) ?? seed
            case "--rounds": rounds = Int(value) ?? rounds
            case "--ablation":
                ablation = VaultOrders.Ablation(rawValue: value)
                if ablation == nil { throw Options.Mistake(description: "There is no ablation '\(value)'.\n\(usage)") }
            default: throw Options.Mistake(description: "There is no option '\(name)'.\n\(usage)")
            }
        }
        print("vaults: seed \(seed)\(ablation.map { ", ablation \($0.rawValue)" } ?? "")")
        var (violations, kills, repeats, refreshes) = (0, 0, 0, 0)
        for round in 0..<rounds {
            let world = try VaultWorld(seed: seed &+ UInt64(round), Options().program, ablation)
            let lines = try await world.play()
            violations += lines.isEmpty ? 0 : 1
            (kills, repeats, refreshes) = (kills + world.kills, repeats + world.repeats, refreshes + world.refreshes)
            if ablation == nil, !lines.isEmpty {
                print("round \(round), --seed \(seed &+ UInt64(round)) --rounds 1:\n\(lines.joined(separator: "\n"))")
            }
            if ablation != nil, violations > 0 { break }
        }
        print(
            "\(rounds) vaults, \(kills) kills, \(refreshes) refreshes, \(repeats) repeated, \(violations) with violations"
        )
        if ablation != nil {
            print(violations > 0 ? "caught" : "FAILED: no history shows the ablation")
            return violations > 0
        }
        print(violations == 0 ? "passed" : "FAILED")
        return violations == 0
    }
}
