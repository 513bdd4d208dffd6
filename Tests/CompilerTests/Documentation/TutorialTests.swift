import Foundation
import TestSupport
import Testing

/// Tests that compile the tutorials as separate modules, in Swift 6.
///
/// The files keep the imports and the access levels of the page. `DocumentationTests` has the same
/// code in one module, and runs the tests of the tutorials there.
struct TutorialTests {
    /// A page whose files make modules.
    struct Tutorial: CustomTestStringConvertible, Sendable {
        /// The path of the page in `Sources`.
        let page: String
        /// The modules, each after the modules that it imports.
        let modules: [String]
        var upcomingFeatures: [String] = []

        var testDescription: String { page }
    }

    static let tutorials = [
        Tutorial(
            page: "Backplane/Backplane.docc/YourFirstFeature.md",
            modules: ["WaterInterface", "BeachesInterface", "WaterFeature", "BeachesFeature", "SwimFlows", "swim"]
        ),
        Tutorial(
            page: "BackplaneRemote/BackplaneRemote.docc/FromServerToScreen.md",
            modules: ["Club"],
            upcomingFeatures: ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
        ),
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// One version of a file on the page.
    private struct File {
        let path: String
        let text: String

        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    }

    /// Returns the files of a page in their order, without the views for SwiftUI, which
    /// `Tests/Shapes` compiles.
    private static func files(of tutorial: Tutorial) throws -> [File] {
        try String(contentsOf: sources.appending(path: tutorial.page), encoding: .utf8)
            .matches(of: /```swift\n(\/\/ (\S+)\n(?:.*\n)*?)```\n/)
            .map { File(path: String($0.2), text: String($0.1)) }
            .filter { !$0.text.contains("\nimport SwiftUI\n") }
    }

    /// Returns the newest version of each file, at the end of the page or where the page first
    /// replaces a file.
    private static func versions(of tutorial: Tutorial, atEnd: Bool) throws -> [File] {
        var versions: [String: File] = [:]
        for file in try files(of: tutorial) {
            if !atEnd, versions[file.path] != nil { break }
            versions[file.path] = file
        }
        return Array(versions.values)
    }

    @Test(arguments: tutorials)
    func `every source file of a tutorial belongs to a module`(of tutorial: Tutorial) throws {
        let sources = try Self.files(of: tutorial).filter { $0.path.hasPrefix("Sources/") }
        #expect(Set(sources.map(\.module)) == Set(tutorial.modules))
        #expect(sources.count > Set(sources.map(\.path)).count, "The page should replace some files.")
    }

    @Test(.rule("M12"), arguments: tutorials, [false, true])
    func `the modules of a tutorial compile before and after a file is replaced`(
        of tutorial: Tutorial,
        atEnd: Bool
    ) async throws {
        let files = try Self.versions(of: tutorial, atEnd: atEnd)
        try await Compiler.withTemporaryFolder { folder in
            for module in tutorial.modules {
                let sources = try files.filter { $0.module == module }.map { file in
                    let url = folder.appending(path: file.path)
                    try FileManager.default.createDirectory(
                        at: url.deletingLastPathComponent(),
                        withIntermediateDirectories: true
                    )
                    try Data(file.text.utf8).write(to: url)
                    return url
                }
                let compilation = try await Compiler.makeModule(
                    module,
                    of: sources,
                    upcomingFeatures: tutorial.upcomingFeatures,
                    in: folder
                )
                #expect(compilation.succeeded, "\(module) \(compilation)")
            }
        }
    }
}
