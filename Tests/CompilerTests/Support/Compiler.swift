import Foundation
import TestSupport

/// The compiler that built the tests, for code written like a user's code.
///
/// The code compiles in language mode 6 against the modules that were just built. Snippets use the
/// upcoming features of the package, and modules only the features that are passed.
///
/// ```swift
/// let compilation = try await Compiler.typecheck("import Backplane\n…")
/// #expect(compilation.errors.first?.contains("…") == true)
/// ```
///
/// A test of code that must not compile needs a control test: the same code without the mistake
/// must compile. Otherwise a misspelled name or a missing module passes the test.
enum Compiler {
    /// The result of one run of the compiler.
    struct Compilation: Sendable, CustomStringConvertible {
        /// The messages of the errors without their locations, in the order of the output.
        let errors: [String]
        /// The whole output of the compiler.
        let output: String
        let succeeded: Bool

        var description: String { succeeded ? "compiles" : "does not compile:\n\(output)" }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let upcomingFeatures = [
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ExistentialAny", "MemberImportVisibility",
        "InternalImportsByDefault",
    ]

    /// Type-checks `source` with additional `options`.
    ///
    /// An example of the options is `["-default-isolation", "MainActor"]`.
    static func typecheck(_ source: String, options: [String] = []) async throws -> Compilation {
        try await withTemporaryFolder { folder in
            let snippet = folder.appending(path: "Snippet.swift")
            try Data(source.utf8).write(to: snippet)
            return try await compile(
                ["-typecheck", "-parse-as-library"] + upcomingFeatures.flatMap { ["-enable-upcoming-feature", $0] }
                    + options + [snippet.path]
            )
        }
    }

    /// Calls `body` with an empty folder, and removes the folder afterwards.
    static func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snippet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func compile(_ options: [String]) async throws -> Compilation {
        let arguments =
            ["swiftc", "-swift-version", "6", "-diagnostic-style", "llvm"]
            + ["-module-cache-path", TestProcess.buildFolder.appending(path: "ModuleCache").path]
            + (try [modules()] + systemModules()).flatMap { ["-I", $0.path] } + options
        let process = try await TestProcess(URL(filePath: "/usr/bin/env"), arguments)
        let errors = process.output.split(separator: "\n").compactMap { line in
            line.firstRange(of: ": error: ").map { String(line[$0.upperBound...]) }
        }
        return Compilation(errors: errors, output: process.output, succeeded: process.status == 0)
    }

    /// Returns the folder of the modules under test, relative to the test bundle.
    ///
    /// The relative path is correct for every configuration and build folder.
    private static func modules() throws -> URL {
        let modules = TestProcess.buildFolder.appending(path: "Modules")
        guard FileManager.default.fileExists(atPath: modules.appending(path: "Backplane.swiftmodule").path) else {
            throw Failure(
                description: """
                    There are no built modules in \(modules.path). The tests expect the modules beside the test \
                    bundle, where `swift build` puts both. Run the tests with `swift test`.
                    """
            )
        }
        return modules
    }

    /// Returns the folders of C module maps, which stay in the checkouts of the dependencies.
    private static func systemModules() throws -> [URL] {
        let manager = FileManager.default
        let checkouts = TestProcess.buildFolder.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "checkouts"
        )
        return try manager.contentsOfDirectory(at: checkouts, includingPropertiesForKeys: nil)
            .map { $0.appending(path: "Sources") }
            .filter { manager.fileExists(atPath: $0.path) }
            .flatMap { try manager.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
            .filter { manager.fileExists(atPath: $0.appending(path: "module.modulemap").path) }
    }
}
