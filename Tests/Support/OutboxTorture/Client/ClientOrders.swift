import Foundation

/// The driver's orders to a process of the client: its only argument, as JSON.
struct ClientOrders: Codable, Sendable {
    /// The outbox.
    let file: String
    /// The file into which the process writes which operations were saved.
    let journal: String
    /// The port of the server.
    let port: UInt16
    /// The user at the start.
    let account: String
    /// The operations to enqueue.
    let numbers: Range<Int>
    /// How much the clock of the process is ahead, in seconds.
    var clockOffset = 0
    /// How long the client believes that the server remembers keys, in seconds.
    var keyWindow = 24 * 60 * 60
    /// Whether the client asks the server about operations whose keys may be forgotten.
    var reviews = true
    /// Whether the process ends when the outbox needs nothing but decisions of the user.
    var drains = false
    /// The longest life of the process, in seconds: the bound for whatever must happen at last.
    var lifetime: UInt32 = 60
    /// The ablation: an operation leaves the file before it is sent.
    var deletesBeforeSending = false
}

/// An order to a process that runs: a line of its standard input, as JSON.
enum ClientCommand: Codable, Sendable {
    /// Stops the current user's outbox, logs in another user, and enqueues operations.
    case switchTo(account: String, numbers: Range<Int>)
    /// Sets the clock to so many seconds ahead.
    case setClock(Int)
    /// Logs in again. The process gives this order to itself.
    case logIn(account: String)
}

/// A file of lines, each of which is on the disk when `note` returns.
struct Journal: Sendable {
    private let file: FileHandle

    init(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func note(_ line: String) throws {
        try file.write(contentsOf: Data("\(line)\n".utf8))
        try file.synchronize()
    }
}
