import Foundation

/// The work of one command: it is shown, and then performed.
package struct Plan: Equatable, Sendable, Encodable {
    /// A file to create, to keep or to edit.
    package struct Step: Equatable, Sendable, Encodable {
        /// The kinds of steps; a `patch` is left to the user, because the file has no mark.
        package enum Action: String, Sendable, Encodable {
            case create, insert, keep, patch
        }

        package let action: Action
        /// The path of the file in the package.
        package let path: String
        /// The line to insert.
        package var line: String?
        /// The text of the file afterwards.
        package var contents = ""
        /// The text that was read before an insertion.
        package var original: String?

        private enum CodingKeys: CodingKey {
            case action, path, line
        }
    }

    package var steps: [Step] = []
    /// Commands to run next.
    package var next: [String] = []
    /// The version of the generator.
    package var version = Configuration.version

    /// The steps and the next commands as lines of text.
    package var text: String {
        let lines = steps.map { step in
            let line = step.line.map { step.action == .patch ? ": no mark, so add this line: \($0)" : ": \($0)" } ?? ""
            return "\(step.action)  \(step.path)\(line)"
        }
        return (lines + (next.isEmpty ? [] : ["", "Next:"] + next.map { "  \($0)" })).joined(separator: "\n")
    }
}

/// Returns a value as JSON for people and programs.
package func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// A line of a file above which features are connected.
enum Mark: String, CustomStringConvertible {
    case modules, pages, screens, views

    var description: String { "// backplane: \(rawValue)" }
}

/// A line that connects a feature in a file of the app.
struct Insertion {
    let path: String
    let mark: Mark
    let line: String
    /// The text by which the file shows that the feature is connected already.
    let token: String

    func step(in text: String?) -> Plan.Step {
        guard let text else { return Plan.Step(action: .patch, path: path, line: line) }
        let isThere = text.ranges(of: token).contains { range in
            range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isIdentifier
        }
        if isThere { return Plan.Step(action: .keep, path: path) }
        let marks = text.ranges(of: mark.description).filter { range in
            text[range.upperBound...].first?.isNewline ?? true
        }
        guard marks.count == 1, let mark = marks.first else { return Plan.Step(action: .patch, path: path, line: line) }
        let before = text[..<mark.lowerBound]
        let start = before.lastIndex(where: \.isNewline).map(text.index(after:)) ?? text.startIndex
        let indentation = before[start...]
        guard indentation.allSatisfy(\.isWhitespace) else { return Plan.Step(action: .patch, path: path, line: line) }
        let newline = text.contains("\r\n") ? "\r\n" : "\n"
        let contents = text[..<start] + indentation + line + newline + text[start...]
        return Plan.Step(action: .insert, path: path, line: line, contents: String(contents), original: text)
    }
}

extension Character {
    fileprivate var isIdentifier: Bool { isLetter || isNumber || self == "_" }
}
