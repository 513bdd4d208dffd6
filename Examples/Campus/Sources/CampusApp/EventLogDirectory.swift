import Backplane
public import Foundation

/// A directory with one event log file for each window, which only the owner may read (0600).
///
/// The logs contain the actions and the input of users, for replays in tests.
public struct EventLogDirectory: Sendable {
    private let url: URL

    /// Creates the directory at `url`, if it does not exist.
    ///
    /// - Throws: an error if the directory cannot be created.
    public init(url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        self.url = url
    }

    /// Logs the events on a window's motherboard from now on, each event as it happens.
    func record(_ motherboard: Motherboard, problem: (String) -> Void) {
        let file = url.appending(path: "window-\(UUID().uuidString).jsonl")
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: attributes),
            let handle = try? FileHandle(forWritingTo: file)
        else { return problem("A window is not recorded: \(file.path) cannot be written.") }
        // A full disk ends the log but not the window.
        motherboard.recordEvents { entry in try? handle.write(contentsOf: Data("\(entry)\n".utf8)) }
    }
}
