import Foundation

/// The public members of a product, read from its file in `API`.
///
/// Tables of tests are compared with it, so that a new member without a line in them fails a test.
public struct PublicMembers {
    private let lines: [(type: String, declaration: String)]

    /// Reads `API/<product>.txt`.
    public init(of product: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "API/\(product).txt"), encoding: .utf8)
        lines = text.split(separator: "\n").compactMap { line in
            guard let bar = line.firstRange(of: " | ") else { return nil }
            return (String(line[..<bar.lowerBound]), String(line[bar.upperBound...]))
        }
    }

    /// The types whose values stay on one actor, because they are not `Sendable`; no protocols.
    public var confinedTypes: Set<String> {
        let sendable = Set(lines.filter { $0.declaration == ": Sendable" }.map(\.type))
        let types = lines.filter { line in
            ["struct ", "class ", "enum "].contains { line.declaration.contains($0) }
                && line.declaration.hasSuffix(line.type) || Self.isDeclaration(line.declaration, of: line.type)
        }
        return Set(types.map(\.type)).subtracting(sendable)
    }

    private static func isDeclaration(_ declaration: String, of type: String) -> Bool {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        let words = declaration.prefix { $0 != "<" }.split(separator: " ").map(String.init)
        guard let last = words.last, last == name, words.count > 1 else { return false }
        return ["struct", "class", "enum"].contains(words[words.count - 2])
    }

    /// The functions, initializers and variables of a type, such as `send(_:to:)`; overloads occur
    /// several times.
    ///
    /// Parameters that only carry the caller's position or isolation are left out. So are constants
    /// and the requirements of protocols, which a conforming type implements.
    public func members(of type: String) -> [String] {
        lines.filter { $0.type == type || $0.type.hasPrefix(type + " where ") }
            .compactMap { Self.signature(of: $0.declaration) }
            .sorted()
    }

    private static func signature(of declaration: String) -> String? {
        if declaration.hasPrefix("requires ") { return nil }
        if let range = declaration.firstRange(of: /\bvar (\w+):/) {
            return String(declaration[range].dropLast())
        }
        guard let start = declaration.firstRange(of: /\b(func |init)/) else { return nil }
        var rest = declaration[start.lowerBound...]
        if rest.hasPrefix("func ") { rest = rest.dropFirst(5) }
        let name = rest.prefix { $0 != "(" && $0 != "<" && $0 != " " }
        guard let open = opening(in: rest) else { return nil }
        let ignored: Set = ["fileID", "line", "isolation"]
        let labels = labels(in: rest[rest.index(after: open)...]).filter { !ignored.contains($0) }
        return "\(name)(\(labels.map { $0 + ":" }.joined()))"
    }

    /// The parenthesis that opens the parameters, after the generic parameters.
    private static func opening(in text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "<": depth += 1
            case ">": depth -= 1
            case "(" where depth == 0: return index
            default: break
            }
        }
        return nil
    }

    /// The labels of the parameters in a text that starts after their opening parenthesis.
    private static func labels(in text: Substring) -> [String] {
        var labels: [String] = []
        var depth = 0
        var parameter = ""
        var previous: Character = " "
        for character in text {
            switch character {
            case "(", "<", "[", "{": depth += 1
            case ")" where depth == 0:
                if let label = parameter.split(separator: " ").first { labels.append(label.trimmingSuffix(":")) }
                return labels
            case ">" where previous == "-": break
            case ")", ">", "]", "}": depth -= 1
            case "," where depth == 0:
                if let label = parameter.split(separator: " ").first { labels.append(label.trimmingSuffix(":")) }
                parameter = ""
                previous = character
                continue
            default: break
            }
            parameter.append(character)
            previous = character
        }
        return labels
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        String(last == suffix ? dropLast() : self)
    }
}
