internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// An operation as it stands in the file.
struct OutboxRow: Sendable {
    /// Its place in the order of all operations.
    let seq: Int64
    let id: String
    let account: String
    let entity: String
    /// The operations for which it waits, as ``OutboxDraft/dependencies`` writes them.
    let dependsOn: String?
    var entry: OutboxEntry
    let label: String?
    let createdAt: Int64
    let record: Data?
    let change: Data?
    let base: Data?
    let theirs: Data?
    let request: Data
    let checksum: Int64
    let entityTag: String?

    init(_ row: Row) throws {
        seq = row["seq"]
        id = row["id"]
        account = row["account"]
        entity = row["entity"]
        dependsOn = row["dependsOn"]
        guard let state = OutboxOperation.State(rawValue: row["state"]) else { throw OutboxRowError.unknownState }
        entry = OutboxEntry(
            kind: row["kind"],
            version: row["version"],
            state: state,
            attempts: row["attempts"],
            notBefore: row["notBefore"],
            firstSentAt: row["firstSentAt"],
            status: row["status"],
            reason: row["reason"]
        )
        label = row["label"]
        createdAt = row["createdAt"]
        record = row["record"]
        change = row["change"]
        base = row["base"]
        theirs = row["theirs"]
        request = row["request"]
        checksum = row["checksum"]
        entityTag = row["entityTag"]
    }

    /// The request, or `nil` if its bytes are damaged.
    var frozenRequest: FrozenRequest? {
        guard Self.checksum(of: request) == checksum else { return nil }
        return FrozenRequest(request)
    }

    var operation: OutboxOperation? {
        IdempotencyKey(id).map { id in
            OutboxOperation(
                id: id,
                kind: entry.kind,
                version: entry.version,
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
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}

/// The error of a row that this version of the library cannot read.
enum OutboxRowError: Error {
    case unknownState
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

    /// The operation as it is made, without its data.
    func operation(at now: Int64) -> OutboxOperation {
        OutboxOperation(
            id: id,
            kind: kind.name,
            version: kind.versions.upperBound,
            entity: entity,
            label: label,
            state: .queued,
            attempts: 0,
            createdAt: Date(milliseconds: now),
            firstSentAt: nil,
            notBefore: nil,
            status: nil,
            reason: nil,
            change: nil,
            theirs: nil,
            base: nil
        )
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

    /// Returns whether an operation of this size is within the quota, and counts it.
    mutating func take(_ size: Int) -> Bool {
        guard operations > 0, bytes >= size else { return false }
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
