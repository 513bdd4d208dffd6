import Backplane
public import Foundation

/// A directory with the event log of each window in a file of its own, which only its owner may read (0600).
///
/// It holds what people did and what they wrote, for a replay in a test.
public struct EventLogDirectory: Sendable {
    private let url: URL

    /// The directory at `url`, which is made when there is none.
    ///
    /// - Throws: what keeps it from being made.
    public init(url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        self.url = url
    }

    /// Writes down what happens on a window's motherboard from now on, each event as it happens.
    func record(_ motherboard: Motherboard, problem: (String) -> Void) {
        let file = url.appending(path: "window-\(UUID().uuidString).jsonl")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: attributes),
            let handle = try? FileHandle(forWritingTo: file)
        else { return problem("A window is not recorded: \(file.path) cannot be written.") }
        // A full disk ends the log, not the window.
        motherboard.recordEvents { entry in try? handle.write(contentsOf: Data("\(entry)\n".utf8)) }
    }
}
