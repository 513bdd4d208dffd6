import Foundation
import Testing

/// What the documentation shows has to compile as it stands.
struct DocumentationTests {
    private static let pages = [
        "Sources/BackplaneNetworking/BackplaneNetworking.docc/BackplaneNetworking.md",
        "Sources/BackplaneStorage/BackplaneStorage.docc/BackplaneStorage.md",
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift blocks of a page.
    private static func samples(on page: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }

    @Test(arguments: pages)
    func `every sample on a page compiles`(page: String) async throws {
        let samples = try Self.samples(on: page)
        #expect(!samples.isEmpty)
        for sample in samples {
            let compilation = try await Compiler.typecheck(sample)
            #expect(compilation.succeeded, "\(compilation)")
        }
    }
}
