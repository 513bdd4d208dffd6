import BackplaneTesting
import Foundation

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
            case "--help": print(Options.usage)
            default: exit(try await run(Options(arguments)) ? 0 : 1)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("outbox-torture: \(error)\n".utf8))
            exit(64)
        }
    }

    /// Runs everything, and prints the figures.
    ///
    /// - Returns: Whether the run has passed.
    private static func run(_ options: Options) async throws -> Bool {
        print("outbox-torture: seed \(options.seed)\(options.ablation.map { ", ablation \($0.rawValue)" } ?? "")")
        var generator = SeededGenerator(seed: options.seed)
        let report =
            switch options.ablation {
            case nil: try await complete(options, &generator)
            case .noDedupe, .deleteBeforeSend:
                try await random(options, &generator, [.anyTime, .saved, .arrived, .executed], kills: options.kills)
            case .ignoreKeyWindow: try await forgottenKeys(options, &generator, keyWindow: 10 * 365 * 86_400)
            }
        print(report.table)
        guard options.ablation != nil else {
            print(report.violations == 0 ? "passed" : "FAILED; repeat with --seed \(options.seed)")
            return report.violations == 0
        }
        // Other violations may be consequences; these three are the ones that must be found.
        let isCaught = report.lost + report.duplicated + report.reordered > 0
        print(isCaught ? "caught" : "FAILED: the comparison has not found the ablation")
        return isCaught
    }

    private static func complete(_ options: Options, _ generator: inout SeededGenerator) async throws -> Report {
        var report = try await random(options, &generator, Moment.allCases, kills: options.kills)
        report += try await forgottenKeys(options, &generator, keyWindow: 1800)
        if !options.isShort {
            let world = try World(options, seed: generator.next())
            for _ in 0..<2 { try await world.playSuspension() }
            report += try await world.finish()
        }
        if let part = try await FullDisk.run(options, seed: generator.next()) {
            report += part
        } else {
            print("full disk: skipped, because this machine permits no small file system (unshare -rm, mount)")
        }
        return report
    }

    /// Kills processes at random moments, on several files one after the other.
    private static func random(
        _ options: Options,
        _ generator: inout SeededGenerator,
        _ moments: [Moment],
        kills: Int
    ) async throws -> Report {
        var report = Report()
        while report.kills < kills {
            let world = try World(options, seed: generator.next())
            try await world.play(moments, kills: min(killsOfWorld, kills - report.kills))
            report += try await world.finish()
            print("\(report.kills) kills, \(report.operations) operations, \(report.violations) violations")
        }
        return report
    }

    private static func forgottenKeys(
        _ options: Options,
        _ generator: inout SeededGenerator,
        keyWindow: Int
    ) async throws -> Report {
        let world = try World(options, seed: generator.next())
        try await world.playForgottenKeys(keyWindow: keyWindow)
        return try await world.finish()
    }
}
