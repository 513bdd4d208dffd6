import Foundation

/// A directory that is removed with the test that made it.
final class TemporaryDirectory: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "backplane-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    var contents: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
