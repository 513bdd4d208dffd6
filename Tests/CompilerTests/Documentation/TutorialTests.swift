import Foundation
import TestSupport
import Testing

/// Tests that compile the tutorial as separate modules, in Swift 6 without upcoming features.
///
/// The files keep the imports and the access levels of the page. `DocumentationTests` has the same
/// code in one module, and runs the tests of the tutorial there.
struct TutorialTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Backplane/Backplane.docc/YourFirstFeature.md")

    /// The modules, each after the modules that it imports.
    private static let modules = [
        "WaterInterface", "BeachesInterface", "WaterFeature", "BeachesFeature", "SwimFlows", "swim",
    ]

    /// One version of a file on the page.
    private struct File {
        let path: String
        let text: String

        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    }

    private static func files() throws -> [File] {
        try String(contentsOf: page, encoding: .utf8).matches(of: /```swift\n(\/\/ (\S+)\n(?:.*\n)*?)```\n/)
            .map { File(path: String($0.2), text: String($0.1)) }
    }

    @Test func `every source file of the tutorial belongs to a module`() throws {
        let sources = try Self.files().filter { $0.path.hasPrefix("Sources/") }
        #expect(Set(sources.map(\.module)) == Set(Self.modules))
        #expect(sources.count > Set(sources.map(\.path)).count, "The page should replace some files.")
    }

    @Test(.rule("M12"), arguments: [false, true])
    func `the tutorial's modules compile before and after the requirement changes`(after: Bool) async throws {
        let files = try Self.files()
        let texts = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { after ? $1 : $0 }).values
        try await Compiler.withTemporaryFolder { folder in
            for module in Self.modules {
                let sources = try texts.filter { $0.module == module }.map { file in
                    let url = folder.appending(path: file.path)
                    try FileManager.default.createDirectory(
                        at: url.deletingLastPathComponent(),
                        withIntermediateDirectories: true
                    )
                    try Data(file.text.utf8).write(to: url)
                    return url
                }
                let compilation = try await Compiler.makeModule(module, of: sources, in: folder)
                #expect(compilation.succeeded, "\(module) \(compilation)")
            }
        }
    }
}
