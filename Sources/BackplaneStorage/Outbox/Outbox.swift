internal import BackplaneConcurrency
internal import BackplaneFeatures
public import BackplaneNetworking
public import Foundation
internal import GRDB

/// A file of operations that must reach the server, even if the process is killed or there is no
/// network for a week.
///
/// One outbox serves all users of a process. An ``AccountOutbox`` has the operations of one user:
///
/// ```swift
/// extension OutboxKind {
///     static let todos = OutboxKind("todos")
/// }
///
/// let outbox = try Outbox(file: directory.appending(path: "outbox.sqlite"), kinds: [.todos])
/// let mine = outbox.account(user.id, through: controller)
/// mine.start()
/// ```
///
/// **Promises.** An operation that was saved survives the end of the process, a full disk and a new
/// version of the app. It is sent until the server has decided, with the same key and the same
/// bytes at each attempt, and in order with the other operations of its entity. If the server
/// carries out each key only once, the operation happens exactly once. It leaves the file only
/// after the server has confirmed it, or the user has discarded it.
///
/// **Isolation.** Use it from any thread. Several processes may use one file; at any time, one of
/// them sends the operations of an account.
///
/// **File.** Only the owner can read the file and the files next to it (`-wal`, `-shm`, `-lock`,
/// `-install`, `-reserve`). They are not encrypted. Do not put them into an App Group: the system
/// ends a process that is suspended while it holds a lock there.
///
/// See <doc:ChangesThatSurvive>.
public final class Outbox: Sendable {
    /// The limits of the operations of one account; at a limit, new operations are refused.
    public struct Limits: Hashable, Sendable {
        /// The largest number of operations.
        let operations: Int
        /// The largest size of their requests and changes in bytes.
        let bytes: Int
        /// The largest age of the oldest operation; `nil` if operations may be of any age.
        let age: Duration?

        /// Creates limits; the default values are 100,000 operations and 256 MiB.
        public init(operations: Int = 100_000, bytes: Int = 256 * 1024 * 1024, age: Duration? = nil) {
            self.operations = operations
            self.bytes = bytes
            self.age = age
        }
    }

    private struct State: Sendable {
        var tickets: [String: OutboxTicket] = [:]
        /// The tickets of operations saved since the last look at what other processes have ended.
        var unseen: Set<String> = []
        /// The version of the file at the last look.
        var seenVersion: Int?
        var accounts: [String: [WeakAccount]] = [:]
        /// The operations that could not be saved, and those that they would have followed (D32).
        var unsaved: [IdempotencyKey: IdempotencyKey] = [:]
        /// The operations that are not sent yet, because the stores do not show them.
        ///
        /// Several calls may hold one operation.
        var held: [String] = []

        mutating func removeTicket(_ id: String) -> OutboxTicket? {
            unseen.remove(id)
            return tickets.removeValue(forKey: id)
        }
    }

    private struct WeakAccount: Sendable {
        weak var object: AccountOutbox?
        /// Its sender, which may be stopping when the object is released.
        let sender: OutboxSender
    }

    let file: OutboxFile
    let kinds: [String: OutboxKind]
    let limits: Limits
    let jitter: @Sendable (Duration) -> Duration
    let timeOfDay: @Sendable () -> Date
    private let state = Locked(State())
    private let quotas = Locked<[String: OutboxQuota]>([:])

    /// Opens the outbox in `file`, or creates it if the file does not exist.
    ///
    /// A file that cannot be read is never replaced. Operations of an earlier process are sent
    /// after ``AccountOutbox/start()``.
    ///
    /// - Parameters:
    ///   - file: The database. Its directory must exist. With `nil`, the operations exist only in
    ///     memory, and are lost at the end of the process, as without an outbox.
    ///   - kinds: All kinds of operations that this version of the app can send, each with a name
    ///     of its own. Operations of other kinds become `DeliveryState.refused` when their
    ///     turn comes.
    ///   - limits: The limits of each account.
    ///   - clock: The clock for waits; it must continue while the device sleeps.
    ///   - timeOfDay: Returns the time of day.
    ///   - jitter: Returns a random part of a wait, between zero and its argument.
    /// - Throws: ``StorageError`` with `unreadable` if the file is damaged, or with `cannotOpen`,
    ///   for example before the first unlock of a device.
    public init(
        file: URL?,
        kinds: Set<OutboxKind>,
        limits: Limits = Limits(),
        clock: any Clock<Duration> = ContinuousClock(),
        timeOfDay: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0...1) }
    ) throws {
        let clock = OutboxClock(now: timeOfDay(), clock: clock)
        self.kinds = Dictionary(kinds.map { ($0.name, $0) }) { first, _ in
            preconditionFailure("Two kinds of an outbox have the name '\(first.name)'. Give them different names.")
        }
        self.file = try file.map { try OutboxFile(path: $0.path, clock: clock) } ?? OutboxFile(inMemory: clock)
        (self.limits, self.timeOfDay, self.jitter) = (limits, timeOfDay, jitter)
    }

    /// Whether a newer version of the app has written the file, so that it can only be read and
    /// exported (D19).
    public var isReadOnly: Bool { file.isNewer }

    /// Checks that new operations can be saved, by writing to the file.
    ///
    /// A server calls it before it takes more users, and an app before it lets the user begin
    /// something long. It waits for earlier writes, and leaves no operation in the file. In a
    /// cancelled task it may throw `notSaved`, although operations can be saved.
    ///
    /// - Throws: ``StorageError`` with `notSaved`, for example if the disk is full or the file was
    ///   deleted, or with `newerVersion`.
    public func checkSaving() async throws {
        try await file.checkSaving()
    }

    /// Returns the operations of one account, which are sent with the credentials of `controller`.
    ///
    /// Nothing is sent before ``AccountOutbox/start()``. Several objects for the same account may
    /// exist, for example one in each window of a server, with a sign-in of their own.
    ///
    /// - Parameters:
    ///   - account: A value that is the same at each sign-in of this user, and different for each
    ///     user, such as the user's ID.
    ///   - controller: The controller of the signed-in user. No other user may ever sign in on this
    ///     controller, because the outbox would not know the difference between the two users.
    ///   - onEvent: Receives the events that need attention, on any thread.
    ///   - explain: Returns the text for the user about an error, for ``OutboxOperation/reason``.
    ///     By default it is the text of the server, or the message of the error.
    /// - Returns: The operations of the account. Keep the object as long as the user is signed in.
    public func account(
        _ account: some LosslessStringConvertible,
        through controller: AuthenticatedNetworkController,
        onEvent: @escaping @Sendable (OutboxEvent) -> Void = { _ in },
        explaining explain: @escaping @Sendable (NetworkError) -> String = { $0.reason ?? $0.message }
    ) -> AccountOutbox {
        let mine = AccountOutbox(
            of: String(account),
            in: self,
            through: controller,
            onEvent: onEvent,
            explaining: explain
        )
        let member = WeakAccount(object: mine, sender: mine.sender)
        state.withLock { $0.accounts[mine.account, default: []].append(member) }
        return mine
    }

    /// Returns all operations of an account, or of all accounts, as JSON with their requests.
    ///
    /// The data contains what the user has written, and no credentials. The function also works if
    /// the file is read only, and exports operations that this version of the app cannot send.
    ///
    /// - Parameter account: The account, or `nil` for all accounts.
    /// - Returns: A JSON array, in the order in which the operations were saved.
    /// - Throws: ``StorageError`` with `databaseFailed`. `CancellationError` if the task is
    ///   cancelled.
    public func export(account: String? = nil) async throws -> Data {
        try await file.read { transaction in
            let sql = "SELECT \(OutboxRow.columns) FROM operation ORDER BY seq"
            let rows = try Row.fetchAll(transaction.database, sql: sql)
            return try ExportedOperation.json(of: rows, account: account)
        }
    }

    /// Copies the files of an outbox without a change, even if they are damaged.
    ///
    /// Use it before you open another file. Call it while no process uses the outbox.
    ///
    /// - Parameters:
    ///   - file: The file of the outbox.
    ///   - directory: An existing directory, without files of the same names.
    /// - Throws: The error of the file system.
    public static func copyFiles(of file: URL, to directory: URL) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.copyItem(
                at: URL(filePath: file.path + suffix),
                to: directory.appending(path: file.lastPathComponent + suffix)
            )
        }
    }
}

extension Outbox {
    /// Returns the transaction that saves an operation.
    func insertion(of draft: OutboxDraft) -> @Sendable (OutboxTransaction) throws -> Void {
        let (now, limits, path) = (file.clock.now, limits, file.path)
        return { [quotas, state] transaction in
            let unsaved = draft.follows == nil ? [:] : state.withLock { $0.unsaved }
            try quotas.withLock { quotas in
                try transaction.insert(
                    draft,
                    at: now,
                    within: limits,
                    quota: &quotas[draft.account, default: OutboxQuota()],
                    following: unsaved,
                    path: path
                )
            }
        }
    }

    /// Returns the only statement that saves an operation, unless more are needed.
    func statement(for draft: OutboxDraft) -> @Sendable (OutboxTransaction) throws -> Bool {
        let (now, needsMore) = (file.clock.now, limits.age != nil || !draft.dependsOn.isEmpty || draft.follows != nil)
        return { [quotas] transaction in
            if needsMore { return false }
            return try quotas.withLock { quotas in
                try transaction.insert(draft, at: now, quota: &quotas[draft.account, default: OutboxQuota()])
            }
        }
    }
}

extension Outbox {
    /// Notes that an operation is not in the file, for the one that was to follow it.
    func noteUnsaved(_ draft: OutboxDraft) {
        if let follows = draft.follows { state.withLock { $0.unsaved[draft.id] = follows } }
    }
}

// MARK: - Tickets and notifications

extension Outbox {
    /// The operations that no sender of this process may send yet.
    var held: [String] { state.withLock { $0.held } }

    /// Keeps an operation from being sent, so that no confirmation comes before stores show it.
    func hold(_ id: String) { state.withLock { $0.held.append(id) } }

    /// Ends one hold of an operation.
    func release(_ id: String) {
        state.withLock { state in
            if let index = state.held.firstIndex(of: id) { state.held.remove(at: index) }
        }
    }

    /// Returns the ticket of an operation, or adds one.
    ///
    /// For an operation in the file, it is called in a transaction, so that the end of the
    /// operation cannot be missed.
    func ticket(for id: String, orAdd add: () -> OutboxTicket) -> OutboxTicket {
        state.withLock { state in
            if let ticket = state.tickets[id] { return ticket }
            let ticket = add()
            state.tickets[id] = ticket
            return ticket
        }
    }

    func existingTicket(_ id: String) -> OutboxTicket? { state.withLock { $0.tickets[id] } }

    func removeTicket(_ id: String) -> OutboxTicket? { state.withLock { $0.removeTicket(id) } }

    /// The number of operations that the next look at what other processes have ended asks for.
    var unseenCount: Int { state.withLock { $0.unseen.count } }

    /// The saved operations that callers of this process wait for.
    var savedTickets: [String] {
        state.withLock { state in state.tickets.filter { $0.value.progress.isSaved }.map(\.key) }
    }

    /// Notes that this process removes operations from the file, and will end the waits for them.
    ///
    /// Called in the transaction that removes them. So no later look at the file takes them for
    /// operations that another process has sent.
    func endHere(_ ids: [String], areReplaced: Bool = false, in transaction: OutboxTransaction) {
        if ids.isEmpty { return }
        let note = { @Sendable (endsHere: Bool) in
            for ticket in ids.compactMap(self.existingTicket) {
                ticket.endsHere = endsHere
                if areReplaced { ticket.noteReplacement(endsHere, in: self.file.path) }
            }
        }
        note(true)
        // After a rollback, they are still in the file, and another process may end them.
        transaction.database.afterNextTransaction(onCommit: { _ in }, onRollback: { _ in note(false) })
    }

    /// Whether callers of this process wait for operations.
    var hasTickets: Bool { state.withLock { !$0.tickets.isEmpty } }

    /// Notes that an operation is in the file, and returns its ticket, which is `new` unless the
    /// operation has one.
    func noteSaved(_ id: String, orAdd new: OutboxTicket) -> OutboxTicket {
        let ticket = ticket(for: id) { new }
        ticket.noteSaved()
        state.withLock { state in
            // This process may have ended it meanwhile.
            if state.tickets[id] != nil { state.unseen.insert(id) }
        }
        return ticket
    }

    /// D30: Ends the waits for the saved operations that have ended in another process.
    ///
    /// Another process has ended none if it has written nothing since the last look.
    func finishElsewhere() async {
        do {
            finish(try await file.read { try $0.ends(of: self.unseen(at: $0.dataVersion())) })
        } catch {
            state.withLock { $0.seenVersion = nil }
        }
    }

    /// Returns the operations that may have ended in another process since the last look.
    private func unseen(at version: Int?) -> [String] {
        let (isSame, unseen) = state.withLock { state in
            defer { (state.seenVersion, state.unseen) = (version, []) }
            return (state.seenVersion == version, Array(state.unseen))
        }
        return isSame ? unseen : savedTickets
    }

    private func finish(_ ends: [(id: String, end: OutboxEnd)]) {
        for (id, end) in ends {
            guard let ticket = goneTicket(id) else { continue }
            switch end {
            case .confirmed: ticket.finish(.success(nil))
            case .discarded: ticket.discard(in: file.path)
            case .parked(let operation):
                ticket.finish(.failure(OutboxFailure(operation: operation)))
            }
        }
    }

    /// D30: Looks again and again whether a saved operation has ended in another process, until
    /// the wait for it ends.
    ///
    /// Only a file tells what another process does, and no sender of this process may be started.
    func watchEnd(of id: String) async {
        let clock = file.clock
        while !Task.isCancelled, existingTicket(id) != nil {
            finish((try? await file.read { try $0.ends(of: [id]) }) ?? [])
            do { try await clock.sleep(until: clock.now + OutboxTurnRequest.leaseDuration) } catch { return }
        }
    }

    /// Returns the reader of the server's IDs for the kind of an operation, from any window of its
    /// user (D29).
    func alias(of row: OutboxRow) -> OutboxAlias? {
        accounts(named: row.account).lazy.compactMap { mine in mine.sender.aliases.withLock { $0[row.kind] } }
            .first
    }

    /// Removes the ticket of an operation that has ended, unless this process has ended it.
    func goneTicket(_ id: String) -> OutboxTicket? {
        state.withLock { state in
            state.tickets[id]?.endsHere == false ? state.removeTicket(id) : nil
        }
    }

    /// Tells the callers that wait for operations how a turn has changed these operations.
    func note(_ turn: OutboxTurn, _ replies: [String: ServerReply]) {
        for id in turn.acknowledged { removeTicket(id)?.finish(.success(replies[id])) }
        for claim in turn.claimed { existingTicket(claim.row.id)?.update(claim.row.progress) }
        for row in turn.changed {
            if row.progress.status == .failed, let operation = row.operation {
                removeTicket(row.id)?.finish(.failure(OutboxFailure(operation: operation)))
            } else {
                existingTicket(row.id)?.update(row.progress)
            }
        }
    }

    /// D40: Forgets an account without objects.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - sender: The sender of a released object, after it has stopped.
    func forgetAccount(_ account: String, sentBy sender: OutboxSender? = nil) {
        let isGone = state.withLock { state in
            state.accounts[account]?.removeAll { $0.sender === sender }
            if state.accounts[account]?.isEmpty == true { state.accounts[account] = nil }
            return state.accounts[account] == nil
        }
        if isGone { quotas.withLock { _ = $0.removeValue(forKey: account) } }
    }

    /// The number of accounts in memory.
    var knownAccounts: Int { max(state.withLock { $0.accounts.count }, quotas.withLock { $0.count }) }

    func accounts(named account: String) -> [AccountOutbox] {
        state.withLock { $0.accounts[account, default: []].compactMap(\.object) }
    }

    /// The senders of an account, also those of released objects that have not stopped.
    func senders(of account: String) -> [OutboxSender] {
        state.withLock { $0.accounts[account, default: []].map(\.sender) }
    }
}

/// An event of an ``AccountOutbox`` that needs attention.
public enum OutboxEvent: Sendable {
    /// Only the user can decide what happens with the operation: see `DeliveryState.isParked`.
    case parked(OutboxOperation)
    /// The server wants the user to sign in again.
    case waitsForSignIn(OutboxOperation)
    /// The change of an operation cannot be decoded. The operation is still sent, but no record
    /// shows it.
    case cannotShow(OutboxOperation)
    /// The file could not be written.
    ///
    /// After `notSaved`, a new operation is not sent, and its caller gets the same error. Anything
    /// else is tried again.
    case fileFailed(StorageError)
}

/// An operation in an export.
private struct ExportedOperation: Encodable {
    let id: String
    let account: String
    let kind: String
    let version: Int
    let entity: String
    let dependsOn: String?
    let label: String?
    let state: String
    let attempts: Int
    let createdAt: Date
    let status: Int?
    let reason: String?
    let request: String
    let change: String?

    private init(_ row: Row) {
        let operation = OutboxRow(row)
        func text(_ data: Data) -> String { String(data: data, encoding: .utf8) ?? data.base64EncodedString() }
        id = operation.id
        account = operation.account
        kind = operation.kind
        version = operation.version
        entity = operation.entity
        dependsOn = operation.dependsOn
        label = operation.label
        // As it stands in the file, because a newer version may have other states.
        state = row.value("state") ?? ""
        attempts = operation.entry.attempts
        createdAt = Date(milliseconds: operation.createdAt)
        status = operation.entry.status
        reason = operation.entry.reason
        request = text(operation.request)
        change = operation.change.map(text)
    }

    static func json(of rows: [Row], account: String?) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let operations = rows.map(ExportedOperation.init)
        return try encoder.encode(operations.filter { account == nil || $0.account == account })
    }
}
