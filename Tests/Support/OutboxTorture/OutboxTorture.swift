import Foundation
import TestSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The gate of the outbox: kills processes at every moment, and compares histories (D13, D25).
///
/// The program is the driver with the server. With the argument `client` it is one of the processes
/// that the driver kills. See ``Options/usage``.
@main
enum OutboxTorture {
    /// How many processes are killed on one file.
    private static let killsOfWorld = 25

    static func main() async {
        // Writing to a process that was killed must not end this one.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "client":
                let orders = Data(arguments.dropFirst().joined().utf8)
                await Client.run(try JSONDecoder().decode(ClientOrders.self, from: orders))
            case "vault-client":
                let orders = Data(arguments.dropFirst().joined().utf8)
                await VaultClient.run(try JSONDecoder().decode(VaultOrders.self, from: orders))
            case "vaults": exit(try await VaultTorture.run(Array(arguments.dropFirst())) ? 0 : 1)
            case "full-disk":
                let seed = UInt64(arguments[1]) ?? 0
                try await FullDisk.run(in: URL(filePath: arguments[2]), Options(), seed: seed)
            case "--help": say(Options.usage)
            default: exit(try await runAll(Options(arguments)) ? 0 : 1)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("outbox-torture: \(error)\n".utf8))
            exit(64)
        }
    }

    /// Plays the run, or one for each safeguard that is left out.
    ///
    /// - Returns: Whether all have passed.
    private static func runAll(_ options: Options) async throws -> Bool {
        guard !options.ablations.isEmpty else { return try await run(options) }
        var hasPassed = true
        for ablation in options.ablations {
            var options = options
            options.ablation = ablation
            if try await !run(options) { hasPassed = false }
        }
        return hasPassed
    }

    /// Runs everything, and prints the figures.
    ///
    /// - Returns: Whether the run has passed.
    private static func run(_ options: Options) async throws -> Bool {
        say("outbox-torture: seed \(options.seed)\(options.ablation.map { ", ablation \($0.rawValue)" } ?? "")")
        var generator = SeededGenerator(seed: options.seed)
        let report =
            if let seed = options.world {
                try await world(options, seed: seed, Moment.allCases, kills: killsOfWorld)
            } else if let scenario = options.scenario {
                try await World(options, seed: generator.next()).play(scenario)
            } else if let ablation = options.ablation {
                try await random(options, &generator, moments(of: ablation))
            } else {
                try await complete(options, &generator)
            }
        say(report.table)
        guard let ablation = options.ablation else {
            say(report.violations.isEmpty ? "passed" : "FAILED; repeat with --seed \(options.seed)")
            return report.violations.isEmpty
        }
        let isCaught = report.violations[ablation.evidence] != nil
        say(isCaught ? "caught" : "FAILED: the oracle has not found '\(ablation.evidence.rawValue)'")
        return isCaught
    }

    /// The moments at which an ablation shows.
    private static func moments(of ablation: Options.Ablation) -> [Moment] {
        switch ablation {
        case .ignoreKeyWindow: [.forgotten]
        default: [.anyTime, .saved, .arrived, .executed, .parked]
        }
    }

    private static func complete(_ options: Options, _ generator: inout SeededGenerator) async throws -> Report {
        var report = try await random(options, &generator, Moment.allCases)
        for scenario in World.Scenario.allCases where !(options.isShort && scenario.isLong) {
            report += try await World(options, seed: generator.next()).play(scenario)
            say("\(scenario.rawValue): \(report.violations.values.reduce(0, +)) violations")
        }
        if let part = try await FullDisk.run(options, seed: generator.next()) {
            report += part
        } else {
            say("full disk: this machine permits no small file system (unshare -rm, mount), so only with a page limit")
        }
        return report
    }

    /// Kills processes at random moments, on several files one after the other.
    private static func random(
        _ options: Options,
        _ generator: inout SeededGenerator,
        _ moments: [Moment]
    ) async throws -> Report {
        var report = Report()
        while report.kills < options.kills {
            let kills = min(killsOfWorld, options.kills - report.kills)
            report += try await world(options, seed: generator.next(), moments, kills: kills)
            let violations = report.violations.values.reduce(0, +)
            say("\(report.kills) kills, \(report.operations) operations, \(violations) violations")
            if let evidence = options.ablation?.evidence, report.violations[evidence] != nil { break }
        }
        return report
    }

    private static func world(
        _ options: Options,
        seed: UInt64,
        _ moments: [Moment],
        kills: Int
    ) async throws -> Report {
        let world = try World(options, seed: seed)
        try await world.play(moments, kills: kills)
        return try await world.finish()
    }
}
