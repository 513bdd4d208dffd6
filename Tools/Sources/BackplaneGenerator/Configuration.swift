import Foundation

/// The file `backplane.json` of a generated package: where features go, and how they are drawn.
package struct Configuration: Codable, Equatable, Sendable {
    /// The version of what this generator writes.
    package static let version = 1
    static let file = "backplane.json"

    let app: String
    /// Whether features have comments that teach.
    var comments = true
    let faces: [Face]
    /// The folder of the library.
    let sources: String
    /// The folder of its tests; features get no tests without it.
    var tests: String?
    var version = Self.version

    static func read(_ text: String?) throws -> Configuration {
        guard let text else {
            throw GeneratorError("There is no \(file) here: run this in a package that `backplane new app` has made.")
        }
        struct Header: Decodable { let version: Int }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: Data(text.utf8)) else {
            throw GeneratorError("The \(file) cannot be read: it is no JSON with a version.")
        }
        guard header.version == version else {
            throw GeneratorError(
                "This package is of version \(header.version) of backplane, and this command is of version \(version)."
            )
        }
        guard let configuration = try? decoder.decode(Configuration.self, from: Data(text.utf8)),
            (try? TypeName(configuration.app)) != nil, Set(configuration.faces).count == configuration.faces.count,
            [configuration.sources, configuration.tests ?? "Tests"].allSatisfy(isInside)
        else {
            throw GeneratorError("The \(file) cannot be read: see what `backplane new app --dry-run --json` writes.")
        }
        return configuration
    }

    /// Whether a path leads to a folder in the package.
    private static func isInside(_ path: String) -> Bool {
        !path.isEmpty
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0")
            }
    }
}
