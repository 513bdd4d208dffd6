import Foundation
import Testing

@testable import BackplaneGenerator

/// The rules of `Documentation/Rules.md` that a test or a suite covers.
struct RuleTrait: TestTrait, SuiteTrait {
    let ids: [String]
}

extension Trait where Self == RuleTrait {
    static func rule(_ ids: String...) -> Self { Self(ids: ids) }
}

/// A generated package in memory.
struct Files {
    var texts: [String: String] = [:]

    init(app: String = "Demo", faces: Set<Face> = [.terminal], comments: Bool = true) throws {
        let plan = try Generator.newApp(try TypeName(app), faces: faces, backplane: "../backplane", comments: comments)
        for step in plan.steps { texts[step.path] = step.contents }
    }

    /// Adds a feature, and returns the plan.
    @discardableResult mutating func add(
        _ name: String,
        input: String? = nil,
        output: String? = nil,
        command: String? = nil,
        declared: [String: String] = [:]
    ) throws -> Plan {
        let plan = try Generator.newFeature(
            try TypeName(name),
            input: try input.map(Payload.init),
            output: try output.map(Payload.init),
            command: try command.map(Payload.init),
            declared: declared,
            read: { texts[$0] }
        )
        for step in plan.steps where [.create, .insert].contains(step.action) { texts[step.path] = step.contents }
        return plan
    }
}

/// A folder that is removed together with this object.
final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "backplane-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The text of each file, and an empty text for each folder.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: url.path) ?? .init() {
            texts[path] = (try? String(contentsOf: url.appending(path: path), encoding: .utf8)) ?? ""
        }
        return texts
    }
}

extension Error {
    /// The sentence of a `GeneratorError`.
    var sentence: String { (self as? GeneratorError)?.description ?? "another error: \(self)" }
}
