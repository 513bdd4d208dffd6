import BackplaneNetworking
import BackplaneStorage
import CHeap
import Foundation
import GRDB
import HTTPTypes

extension Comparison {
    /// Saves an operation in an outbox that sends nothing; the baseline encodes the same body, and
    /// inserts a row with as many bytes.
    static func outboxEnqueue() async throws -> Comparison {
        let directory = try TemporaryDirectory()
        let outbox = try Outbox.opened(in: directory.url)
        let mine = try outbox.ofTheUser()
        _ = try await mine.enqueue(.write(to: 0), of: .notes, entity: "note-0")
        let bytes = try await outbox.savedBytes()
        let bare = try BareTable(file: directory.url.appending(path: "bare.sqlite"))
        return Comparison(of: .enqueue(to: mine, in: directory), with: .insert(bytes, into: bare))
    }

    /// Sends `total` saved operations, each of which is answered at once; the baseline reads and
    /// removes as many rows with the same bytes, one by one.
    static func outboxDrain(_ total: Int) async throws -> Comparison {
        let directory = try TemporaryDirectory()
        let original = directory.url.appending(path: "original")
        try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
        let bytes = try await fillOutbox(in: original, with: total)
        let bare = try BareTable(file: directory.url.appending(path: "bare.sqlite"))
        return Comparison(
            of: .drain(total, copying: original, in: directory),
            with: .takeRows(total, of: bytes, from: bare),
            samples: 3
        )
    }
}

/// Returns by how many bytes the heap grows at most while an outbox is opened, started without a
/// network, and sends a part of its operations.
///
/// The bytes include the page cache of SQLite. It is `nil` if the system does not report them.
func heapBytesOfOutbox(pending: Int, sending: Int) async throws -> Double? {
    let directory = try TemporaryDirectory()
    _ = try await fillOutbox(in: directory.url, with: pending)
    let before = heap_bytes_in_use()
    guard before >= 0 else { return nil }
    let watch = Task.detached {
        var peak = before
        while !Task.isCancelled {
            peak = max(peak, heap_bytes_in_use())
            try? await Task.sleep(for: .milliseconds(1))
        }
        return max(peak, heap_bytes_in_use())
    }
    let mine = try Outbox.opened(in: directory.url).ofTheUser()
    await mine.networkChanged(isReachable: false)
    mine.start()
    while mine.status.total != pending { try await Task.sleep(for: .milliseconds(1)) }
    // Nothing tells that the first turn is over, because it changes nothing without a network.
    try await Task.sleep(for: .milliseconds(500))
    await mine.networkChanged(isReachable: true)
    while mine.status.total > pending - sending { try await Task.sleep(for: .milliseconds(1)) }
    await mine.stop()
    watch.cancel()
    let peak = await watch.value
    return withExtendedLifetime((directory, mine)) { Double(peak - before) }
}

extension Operation {
    fileprivate static func enqueue(to mine: AccountOutbox, in directory: TemporaryDirectory) -> Operation {
        let endpoints = (0..<notes).map { AuthenticatedIdempotentEndpoint<Void>.write(to: $0) }
        var next = 0
        return Operation(
            prepare: { withExtendedLifetime(directory) {} },
            perform: { count in
                do {
                    for _ in 0..<count {
                        next = (next + 1) % notes
                        _ = try await mine.enqueue(endpoints[next], of: .notes, entity: "note-\(next)")
                    }
                } catch {
                    preconditionFailure("An operation was not saved: \(error)")
                }
            }
        )
    }

    fileprivate static func insert(_ bytes: Data, into table: BareTable) -> Operation {
        let encoder = NetworkOptions().encoder
        var next = 0
        return Operation { count in
            do {
                for _ in 0..<count {
                    next = (next + 1) % notes
                    let body = try encoder.encode(draft)
                    try await table.insert(bytes.dropLast(body.count) + body, for: next)
                }
            } catch {
                preconditionFailure("A row was not inserted: \(error)")
            }
        }
    }

    /// Sends the operations of a copy, which is opened before each sample.
    fileprivate static func drain(
        _ total: Int,
        copying original: URL,
        in directory: TemporaryDirectory
    ) -> Operation {
        var opened: AccountOutbox?
        return Operation(
            count: total,
            prepare: {
                do {
                    let copy = directory.url.appending(path: UUID().uuidString)
                    try FileManager.default.copyItem(at: original, to: copy)
                    opened = try Outbox.opened(in: copy).ofTheUser()
                } catch {
                    preconditionFailure("The copy of the outbox cannot be opened: \(error)")
                }
            },
            perform: { _ in
                guard let mine = opened else { preconditionFailure("The sample was not prepared.") }
                do {
                    mine.start()
                    try await mine.waitUntilDrained()
                    let rest = try await mine.operations(limit: 1)
                    precondition(rest.isEmpty, "An operation was not confirmed: \(rest)")
                } catch {
                    preconditionFailure("The operations were not sent: \(error)")
                }
            }
        )
    }

    fileprivate static func takeRows(_ total: Int, of bytes: Data, from table: BareTable) -> Operation {
        Operation(
            count: total,
            prepare: {
                do {
                    try table.fill(total, notes: notes, with: bytes)
                } catch {
                    preconditionFailure("The rows were not inserted: \(error)")
                }
            },
            perform: { count in
                do {
                    for _ in 0..<count { try await table.takeNext() }
                } catch {
                    preconditionFailure("A row was not removed: \(error)")
                }
            }
        )
    }
}

/// How many notes the operations write to in turn.
private let notes = 1_000

/// The body of each operation, about 100 bytes of JSON.
private let draft = ["text": String(repeating: "The first draft. ", count: 5)]

extension OutboxKind {
    fileprivate static let notes = OutboxKind("notes")
}

extension AuthenticatedIdempotentEndpoint<Void> {
    /// Writes the draft into a note.
    fileprivate static func write(to note: Int) -> Self {
        Self(.put("notes/\(note)", body: .json(draft)))
    }
}

/// A transport without a network that answers at once.
private struct InstantTransport: NetworkTransport {
    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        (HTTPResponse(status: .noContent), Data())
    }
}

extension Outbox {
    fileprivate static func file(in directory: URL) -> URL { directory.appending(path: "outbox.sqlite") }

    /// Opens the outbox in a directory, as a new process does.
    fileprivate static func opened(in directory: URL) throws -> Outbox {
        try Outbox(file: file(in: directory), kinds: [.notes])
    }

    fileprivate func ofTheUser() throws -> AccountOutbox {
        guard let server = URL(string: "https://notes.example") else { preconditionFailure("The URL is valid.") }
        let service = try NonAuthenticatedNetworkController(baseURL: server, transport: InstantTransport())
        let tokens = NetworkTokens(access: AccessToken(rawValue: "alive"), refresh: RefreshToken(rawValue: "r1"))
        let controller = AuthenticatedNetworkController(over: service, tokens: tokens) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh", body: .json(["token": token.rawValue])))
        }
        return account("ada", through: controller)
    }
}

extension Outbox {
    /// Returns the request of the oldest operation with the bytes that are in the file.
    fileprivate func savedBytes() async throws -> Data {
        struct Saved: Decodable {
            let request: String
        }
        let saved = try JSONDecoder().decode([Saved].self, from: try await export())
        guard let first = saved.first else { preconditionFailure("The outbox is empty.") }
        return Data(first.request.utf8)
    }
}

// MARK: - Many saved operations

/// Saves `total` operations, and closes the file.
///
/// One operation for each note is enqueued. The others are copies of them, written in one
/// transaction, because each enqueued operation waits for the disk. Later versions only add to the
/// table, so the copies stay complete.
///
/// - Returns: The bytes of a request in the file.
private func fillOutbox(in directory: URL, with total: Int) async throws -> Data {
    precondition(total % notes == 0, "Each note has the same number of operations.")
    let first = try await enqueueForEachNote(in: directory)
    // Reads of its status may still be under way.
    for _ in 0..<10_000 where first.outbox != nil { try await Task.sleep(for: .milliseconds(1)) }
    precondition(first.outbox == nil, "The outbox that was filled is still in use.")
    var configuration = Configuration()
    // The last connection may still be closing the file.
    configuration.busyMode = .timeout(30)
    let queue = try DatabaseQueue(path: Outbox.file(in: directory).path, configuration: configuration)
    try await queue.write { database in
        try database.execute(
            sql: """
                CREATE TEMPORARY TABLE pattern AS SELECT * FROM operation ORDER BY seq;
                UPDATE pattern SET seq = NULL, isHead = 0;
                """
        )
        for _ in 1..<total / notes {
            try database.execute(
                sql: """
                    UPDATE pattern SET id = lower(
                        hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-'
                        || hex(randomblob(2)) || '-' || hex(randomblob(6))
                    );
                    INSERT INTO operation SELECT * FROM pattern ORDER BY rowid;
                    """
            )
        }
    }
    try queue.close()
    return first.bytes
}

/// An outbox that was closed, as soon as nothing uses it any more.
private struct FilledOutbox {
    weak var outbox: Outbox?
    let bytes: Data
}

private func enqueueForEachNote(in directory: URL) async throws -> FilledOutbox {
    let outbox = try Outbox.opened(in: directory)
    let mine = try outbox.ofTheUser()
    try await withThrowingTaskGroup(of: Void.self) { group in
        for note in 0..<notes {
            group.addTask { _ = try await mine.enqueue(.write(to: note), of: .notes, entity: "note-\(note)") }
        }
        try await group.waitForAll()
    }
    return FilledOutbox(outbox: outbox, bytes: try await outbox.savedBytes())
}
