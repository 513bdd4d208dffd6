import Foundation

/// The driver's orders to a process of the client: its only argument, as JSON.
struct ClientOrders: Codable, Sendable {
    /// The outbox.
    let file: String
    /// The folder of letters.
    let inbox: String
    /// The file into which the process writes what it has done.
    let journal: String
    /// The port of the server.
    let port: UInt16
    /// The user at the start.
    let account: String
    /// The operations to enqueue.
    let numbers: Range<Int>
    /// The operations that earlier processes have saved.
    var earlier: [TortureOperation] = []
    /// How much the clock of the process is ahead, in seconds.
    var clockOffset = 0
    /// How long the client believes that the server remembers keys, in seconds.
    var keyWindow = 24 * 60 * 60
    /// Whether the client asks the server about operations whose keys may be forgotten.
    var reviews = true
    /// Whether the process saves nothing but notes of one entity, and signs in only once.
    var isPlain = false
    /// Whether the process ends when the outbox needs nothing but decisions of the user.
    var drains = false
    /// Whether the file may not grow until its reserve is gone.
    var limitsPages = false
    /// The longest life of the process, in seconds: the bound for whatever must happen at last.
    var lifetime: UInt32 = 60
    /// The safeguard that the process leaves out.
    var ablation: Options.Ablation?
}

/// An order to a process that runs: a line of its standard input, as JSON.
enum ClientCommand: Codable, Sendable {
    /// Stops the current user's outbox, signs in another user, and enqueues operations.
    case switchTo(account: String, numbers: Range<Int>)
    /// Saves more operations.
    case enqueue(Range<Int>)
    /// Sets the clock to so many seconds ahead.
    case setClock(Int)
    /// Ends or begins the network.
    case setOffline(Bool)
    /// Drains for so many milliseconds.
    case drain(Int)
    /// Signs in again. The process gives this order to itself.
    case signIn(account: String)
    /// Decides about refused operations. The process gives this order to itself.
    case decide(account: String)
}

/// The things that a process finds at its end.
struct Ending: Codable, Sendable {
    struct Leftover: Codable, Sendable {
        let key: String
        let operation: TortureOperation
        let state: String
    }

    /// A page of the app.
    struct Page: Codable, Sendable {
        let record: String
        let numbers: [Int]
        /// The pending changes that it shows, refused ones included.
        let pending: [Int]
    }

    var left: [Leftover] = []
    var pages: [Page] = []
    /// Whether the export has all operations.
    var isExported = true
}
