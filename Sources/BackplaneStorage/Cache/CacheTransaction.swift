internal import BackplaneNetworking
internal import Foundation
internal import GRDB
internal import HTTPTypes

/// Reads and writes of cached responses in one transaction.
struct CacheTransaction {
    /// A row with a response.
    struct Entry {
        let id: Int64
        let response: StoredResponse
    }

    let database: Database
    let digestKey: SipKey
    let isHeuristic: Bool

    /// Returns the responses of a URL, the latest first.
    func entries(for key: ResponseKey) throws -> [Entry] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, names, selection, fingerprint, requestSize, status, fields, body, requestedAt, receivedAt
                    FROM response WHERE url = ? AND partition = ? ORDER BY receivedAt DESC, id DESC
                    """
            ),
            arguments: [key.url, key.partition]
        )
        var entries: [Entry] = []
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    private func entry(_ row: Row) throws -> Entry {
        let status: Int = try value(row, 5)
        let (requestedAt, receivedAt): (Double, Double) = (try value(row, 8), try value(row, 9))
        // A thousand years or more are no time on a clock.
        guard (100...999).contains(status), max(abs(requestedAt), abs(receivedAt)) < 1e11 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let variant = ResponseVariant(
            names: (try value(row, 1) as String).split(separator: ",").map(String.init),
            selection: UInt64(bitPattern: try value(row, 2)),
            fingerprint: UInt64(bitPattern: try value(row, 3)),
            size: try value(row, 4)
        )
        let response = StoredResponse(
            status: HTTPResponse.Status(code: status),
            fields: HTTPFields(lines: try value(row, 6)),
            body: try value(row, 7),
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            variant: variant,
            isHeuristic: isHeuristic
        )
        return Entry(id: try value(row, 0), response: response)
    }

    /// Returns a column of a row, whose type in a damaged file can be another one.
    private func value<Value: DatabaseValueConvertible>(_ row: Row, _ index: Int) throws -> Value {
        guard let value = Value.fromDatabaseValue(row[index] as DatabaseValue) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return value
    }

    func insert(_ response: StoredResponse, for key: ResponseKey) throws {
        try database.execute(
            sql: """
                INSERT INTO response (url, partition, names, selection, fingerprint, requestSize, status, fields, body,
                    requestedAt, receivedAt, size, lastUse) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: try [
                key.url, key.partition, response.variant.names.joined(separator: ","),
                Int64(bitPattern: response.variant.selection), Int64(bitPattern: response.variant.fingerprint),
                response.variant.size, response.status.code, response.fields.lines, response.body,
                response.requestedAt, response.receivedAt, response.size + key.size, nextUse(),
            ]
        )
    }

    func remove(ids: [Int64]) throws {
        for id in ids { try database.execute(sql: "DELETE FROM response WHERE id = ?", arguments: [id]) }
    }

    /// Removes the oldest responses of a key that has more than a lookup should read.
    func removeSurplus(of key: ResponseKey) throws {
        try database.execute(
            sql: """
                DELETE FROM response WHERE id IN (SELECT id FROM response WHERE url = ? AND partition = ?
                    ORDER BY receivedAt DESC, id DESC LIMIT -1 OFFSET \(ResponseKey.variants))
                """,
            arguments: [key.url, key.partition]
        )
    }

    /// Notes the last uses of responses, in their order.
    func note(_ uses: [Int64]) throws {
        var use = try nextUse()
        for id in uses {
            try database.execute(sql: "UPDATE response SET lastUse = ? WHERE id = ?", arguments: [use, id])
            use &+= 1
        }
    }

    private func nextUse() throws -> Int64 {
        try number("SELECT coalesce(max(lastUse), 0) FROM response") &+ 1
    }

    /// Removes the least recently used responses until all others fit.
    func evict(downTo limit: Int) throws {
        while try number("SELECT size FROM state") > limit {
            try database.execute(
                sql: "DELETE FROM response WHERE id = (SELECT id FROM response ORDER BY lastUse, id LIMIT 1)"
            )
            // A damaged file can have a wrong sum.
            guard database.changesCount > 0 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        }
    }

    /// Returns a number, whose type in a damaged file can be another one.
    private func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
        let statement = try database.cachedStatement(sql: sql)
        let value = try DatabaseValue.fetchOne(statement, arguments: arguments)
        guard let number = value.flatMap({ Int64.fromDatabaseValue($0) }) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return number
    }

    // MARK: Removals

    func remove(url: String) throws {
        try raiseFence(of: url)
        try database.execute(sql: "DELETE FROM response WHERE url = ?", arguments: [url])
    }

    func remove(partition: String) throws {
        try raiseFence(of: partition)
        try database.execute(sql: "DELETE FROM response WHERE partition = ?", arguments: [partition])
    }

    func remove(partitionsWith prefix: String) throws {
        try database.execute(
            sql: "DELETE FROM response WHERE substr(partition, 1, ?) = ?",
            arguments: [prefix.count, prefix]
        )
    }

    /// Returns a number that changes when the URL or the partition is removed, by any process.
    func fence(of key: ResponseKey) throws -> Int64 {
        try number(
            "SELECT coalesce(sum(count), 0) FROM fence WHERE id IN (?, ?)",
            [fence(key.url), fence(key.partition)]
        )
    }

    private func raiseFence(of text: String) throws {
        try database.execute(
            sql: "INSERT INTO fence VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1",
            arguments: [fence(text)]
        )
    }

    private func fence(_ text: String) -> Int64 {
        Int64(digestKey.digest(Array(text.utf8)) % UInt64(CacheFile.fences))
    }
}

extension HTTPFields {
    /// The fields as lines of text.
    fileprivate var lines: String { map { "\($0.name.rawName):\($0.value)" }.joined(separator: "\n") }

    fileprivate init(lines: String) {
        self.init()
        for line in lines.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                continue
            }
            append(HTTPField(name: name, value: String(line[line.index(after: colon)...])))
        }
    }
}
