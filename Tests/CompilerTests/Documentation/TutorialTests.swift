import Foundation
import TestSupport
import Testing

/// The tutorial's files, compiled as the modules they belong to: with the imports and the access that the page gives them,
/// in Swift 6 as it comes.
///
/// What they do, and the tutorial's tests, are tested by DocumentationTests, where all of it is one module.
struct TutorialTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Backplane/Backplane.docc/YourFirstFeature.md")

    /// The modules, each behind those that it imports.
    private static let modules = [
        "WaterInterface", "BeachesInterface", "WaterFeature", "BeachesFeature", "SwimFlows", "swim",
    ]

    /// A file as the page has it at some point.
    private struct File {
        let path: String
        let text: String

        var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    }

    private static func files() throws -> [File] {
        try String(contentsOf: page, encoding: .utf8).matches(of: /```swift\n(\/\/ (\S+)\n(?:.*\n)*?)```\n/)
            .map { File(path: String($0.2), text: String($0.1)) }
    }

    @Test func `every file of the tutorial belongs to a module`() throws {
        let sources = try Self.files().filter { $0.path.hasPrefix("Sources/") }
        #expect(Set(sources.map(\.module)) == Set(Self.modules))
        #expect(sources.count > Set(sources.map(\.path)).count, "some files are replaced")
    }

    @Test(.rule("M12"), arguments: [false, true])
    func `the tutorial's modules compile, before the requirement has changed and after`(after: Bool) async throws {
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
