import Foundation

/// The options of a run.
struct Options: Sendable {
    /// A safeguard that is left out, so that the comparison must find violations.
    enum Ablation: String, CaseIterable, Sendable {
        /// The server forgets keys at once.
        case noDedupe = "no-dedupe"
        /// The client removes an operation from its file before it sends it.
        case deleteBeforeSend = "delete-before-send"
        /// The client believes that the server remembers keys for years.
        case ignoreKeyWindow = "ignore-key-window"
    }

    /// The error of a wrong argument.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        outbox-torture [--seed NUMBER] [--kills COUNT] [--short] [--ablation NAME]

        Kills processes with an outbox, and compares what they saved with what the server carried out.
        The seed decides about the faults and the moments; the times of processes differ between runs.

          --seed      the seed of an earlier run; by default the time of day
          --kills     how many processes are killed at least; 300 by default
          --short     without the processes that are suspended for longer than their lease
          --ablation  leaves out a safeguard, and succeeds if the comparison finds that:
                      \(Ablation.allCases.map(\.rawValue).joined(separator: ", "))
        """

    var seed = UInt64(Date().timeIntervalSince1970)
    var kills = 300
    var isShort = false
    var ablation: Ablation?
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
            case "--ablation":
                guard let known = Ablation(rawValue: value) else {
                    throw Mistake(description: "There is no ablation '\(value)'.\n\(Self.usage)")
                }
                ablation = known
            default: throw Mistake(description: "There is no option '\(name)'.\n\(Self.usage)")
            }
        }
    }

    private static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
        guard let number = Number(text) else { throw Mistake(description: "'\(text)' is not a number.") }
        return number
    }
}
