public import Foundation
import Testing

/// A directory that is removed when this object is released.
public final class TemporaryDirectory: Sendable {
    /// The location of the directory.
    public let url = FileManager.default.temporaryDirectory.appending(path: "backplane-\(UUID().uuidString)")

    /// Creates the directory.
    ///
    /// A failure is recorded as an issue of the test.
    public init() {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            Issue.record(error)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the location of a file in the directory.
    public func file(_ name: String) -> URL { url.appending(path: name) }

    /// The names of the files in the directory, sorted.
    public var contents: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
