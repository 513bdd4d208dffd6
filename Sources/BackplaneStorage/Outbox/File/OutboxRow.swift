internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// An operation as it stands in the file.
struct OutboxRow: Sendable {
    /// Its position in the order of all operations.
    let seq: Int64
    let id: String
    let account: String
    let entity: String
    /// Its position in the line of its entity: see ``OutboxPosition``.
    let position: Int
    /// The operations for which it waits, as ``OutboxDraft/dependencies`` writes them.
    let dependsOn: String?
    let kind: String
    let version: Int
    var entry: ChangeEntry
    let label: String?
    let createdAt: Int64
    let record: Data?
    let change: Data?
    let base: Data?
    let theirs: Data?
    let request: Data
    let checksum: Int64
    let entityTag: String?
    /// Whether this version of the library knows the state.
    let hasKnownState: Bool

    /// The columns, in the order in which ``init(_:)`` reads them: by name takes twice as long.
    static let columns = """
        seq, id, account, entity, isHead, dependsOn, kind, version, label, record, change, base, theirs, request, \
        checksum, entityTag, state, attempts, notBefore, createdAt, firstSentAt, status, reason
        """

    /// Reads a row of ``columns``, each on its own, because a file may be damaged or of a newer
    /// version (D36).
    init(_ row: Row) {
        var index = -1
        func next<Value: DatabaseValueConvertible>() -> Value? {
            index += 1
            return Value.fromDatabaseValue(row[index])
        }
        seq = next() ?? 0
        id = next() ?? ""
        account = next() ?? ""
        entity = next() ?? ""
        position = next() ?? OutboxPosition.waiting
        dependsOn = next()
        kind = next() ?? ""
        version = next() ?? 0
        label = next()
        record = next()
        change = next()
        base = next()
        theirs = next()
        request = next() ?? Data()
        checksum = next() ?? 0
        entityTag = next()
        let state = Self.state(next())
        hasKnownState = state.isKnown
        let (attempts, notBefore): (Int?, Int64?) = (next(), next())
        createdAt = next() ?? 0
        entry = ChangeEntry(
            state: state.value,
            attempts: attempts ?? 0,
            notBefore: notBefore ?? 0,
            firstSentAt: next(),
            status: next(),
            reason: next()
        )
    }

    /// Returns the state with a name; one that only a newer version knows waits for an update.
    static func state(_ name: String?) -> (value: DeliveryState, isKnown: Bool) {
        name.flatMap(DeliveryState.init).map { ($0, true) } ?? (.waitingForUpdate, false)
    }

    /// The request, or `nil` if its bytes or its key are damaged.
    var frozenRequest: FrozenRequest? {
        guard IdempotencyKey(id) != nil, Self.checksum(of: request) == checksum else { return nil }
        return FrozenRequest(request)
    }

    var operation: OutboxOperation? {
        IdempotencyKey(id).map { id in
            OutboxOperation(
                id: id,
                kind: kind,
                version: version,
                entity: entity,
                label: label,
                state: entry.state,
                attempts: entry.attempts,
                createdAt: Date(milliseconds: createdAt),
                firstSentAt: entry.firstSentAt.map(Date.init(milliseconds:)),
                notBefore: entry.notBefore == 0 ? nil : Date(milliseconds: entry.notBefore),
                status: entry.status,
                reason: entry.reason,
                change: change,
                theirs: theirs,
                base: base
            )
        }
    }

    /// FNV-1a with 64 bits, which finds damage, not forgery.
    static func checksum(of data: Data) -> Int64 {
        data.withUnsafeBytes { bytes in
            let hash: UInt64 = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
            return Int64(bitPattern: hash)
        }
    }
}

extension Row {
    /// Returns the value of a column; `nil` if it is missing, empty or of another type.
    func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        (self[column] as DatabaseValue?).flatMap(Value.fromDatabaseValue)
    }
}

/// A new operation.
struct OutboxDraft: Sendable {
    let id: IdempotencyKey
    let account: String
    let kind: OutboxKind
    var entity: String
    var dependsOn: Set<IdempotencyKey> = []
    /// The operation that it follows, whatever becomes of that one (D32).
    var follows: IdempotencyKey?
    var label: String?
    var record: Data?
    var change: Data?
    var base: Data?
    var entityTag: String?
    var request: Data

    /// The keys of the operations for which it waits, as they stand in the file: with spaces
    /// between them, and a mark at the one that it only follows.
    var dependencies: String? {
        let tokens = dependsOn.map { "\($0)" }.sorted() + (follows.map { [Self.following("\($0)")] } ?? [])
        return tokens.isEmpty ? nil : tokens.joined(separator: " ")
    }

    static func following(_ id: String) -> String { "~\(id)" }

    /// Reads one of the keys in `dependencies`.
    static func dependency(_ token: Substring) -> (id: String, isNeeded: Bool) {
        token.hasPrefix("~") ? (String(token.dropFirst()), false) : (String(token), true)
    }

    /// The name of the entity of a record, unless the app names it.
    static func entity(of kind: String, _ record: Data) -> String {
        "\(kind)/\(String(decoding: record, as: UTF8.self))"
    }

    /// The bytes that count toward the limit of the file.
    var size: Int { request.count + (change?.count ?? 0) + (base?.count ?? 0) }
}

/// The number and the size of the operations that may be saved before the file is measured again.
///
/// Measuring takes longer the more operations there are, so it does not happen for each of them. If
/// several processes save, the limits may be exceeded by as much as their quotas.
struct OutboxQuota: Sendable {
    var operations = 0
    var bytes = 0

    func allows(_ size: Int) -> Bool { operations > 0 && bytes >= size }

    /// Returns whether an operation of this size is within the quota, and counts it.
    mutating func take(_ size: Int) -> Bool {
        guard allows(size) else { return false }
        operations -= 1
        bytes -= size
        return true
    }
}

extension Date {
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
