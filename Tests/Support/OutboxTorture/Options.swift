import Foundation

/// The options of a run.
struct Options: Sendable {
    /// A safeguard that is left out, so that the oracle must find violations.
    enum Ablation: String, CaseIterable, Codable, Sendable {
        // The server.

        /// Forgets keys at once.
        case noDedupe = "no-dedupe"
        /// Checks a permission before it looks for the key.
        case permissionFirst = "permission-first"
        /// Carries out changes for another version of the record.
        case ignoredTags = "ignored-tags"

        // The app.

        /// Believes that the server remembers keys for years.
        case ignoreKeyWindow = "ignore-key-window"
        /// Does not say which operation another one needs.
        case noDependencies = "no-dependencies"
        /// Gives each operation an entity of its own.
        case noOrder = "no-order"
        /// Does not find the server's ID in a response.
        case forgottenIDs = "forgotten-ids"
        /// Tells the user that an operation is discarded, and keeps it.
        case undiscarded

        // The file and the transport of the app, behind the back of the outbox.

        /// An operation leaves the file before it is sent.
        case deleteBeforeSend = "delete-before-send"
        /// The words of removed operations stay.
        case keepsWords = "keeps-words"
        /// Each attempt has a key of its own.
        case newKeys = "new-keys"
        /// The tag of the last response goes out with the next request.
        case mixedTags = "mixed-tags"
        /// Requests have the token of another user.
        case mixedUsers = "mixed-users"
        /// Some responses come from nowhere.
        case inventedReplies = "invented-replies"

        /// The violation that the oracle must find; others may be consequences.
        var evidence: Violation {
            switch self {
            case .noDedupe, .permissionFirst, .ignoreKeyWindow, .newKeys: .duplicated
            case .ignoredTags: .overwritten
            case .noDependencies: .early
            case .noOrder: .reordered
            case .forgottenIDs: .temporaryID
            case .undiscarded: .stuck
            case .deleteBeforeSend, .inventedReplies: .lost
            case .keepsWords: .traces
            case .mixedTags: .mixedTags
            case .mixedUsers: .mixedUsers
            }
        }
    }

    /// The error of a wrong argument.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        outbox-torture [--seed NUMBER] [--kills COUNT] [--short] [--ablation NAME] [--scenario NAME] [--world SEED]

        Kills processes with an outbox, and compares what users did, what the server saw and what is left.
        The seed decides about the faults and the moments; the times of processes differ between runs.

          --seed      the seed of an earlier run; by default the time of day
          --kills     how many processes are killed at least; 500 by default
          --short     without the scenarios that wait for the end of a lease
          --ablation  leaves out a safeguard, and succeeds if the oracle finds that: all, or one of
                      \(Ablation.allCases.map(\.rawValue).joined(separator: ", "))
          --scenario  plays only this one: \(World.Scenario.allCases.map(\.rawValue).joined(separator: ", "))
          --world     kills processes of one file only, with the seed that is printed after a violation
        """

    var seed = UInt64(Date().timeIntervalSince1970)
    var kills = 500
    var isShort = false
    /// The safeguards that are left out, in a run for each.
    var ablations: [Ablation] = []
    /// The safeguard that this run leaves out.
    var ablation: Ablation?
    var scenario: World.Scenario?
    /// The seed of the only world that is played.
    var world: UInt64?
    /// This program, which is also the client.
    let program = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])

    init() {}

    /// Reads arguments.
    ///
    /// - Throws: `Mistake` if one of them is wrong.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--short" {
                isShort = true
                continue
            }
            guard let value = rest.popFirst() else {
                throw Mistake(description: "\(name) needs a value.\n\(Self.usage)")
            }
            switch name {
            case "--seed": seed = try Self.number(value)
            case "--kills": kills = try Self.number(value)
            case "--world": world = try Self.number(value)
            case "--ablation":
                ablations = value == "all" ? Ablation.allCases : Ablation(rawValue: value).map { [$0] } ?? []
                if ablations.isEmpty { throw Mistake(description: "There is no ablation '\(value)'.\n\(Self.usage)") }
            case "--scenario":
                guard let known = World.Scenario(rawValue: value) else {
                    throw Mistake(description: "There is no scenario '\(value)'.\n\(Self.usage)")
                }
                scenario = known
            default: throw Mistake(description: "There is no option '\(name)'.\n\(Self.usage)")
            }
        }
    }

    private static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
        guard let number = Number(text) else { throw Mistake(description: "'\(text)' is not a number.") }
        return number
    }
}
