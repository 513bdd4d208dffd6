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
        while let row = try rows.next() { entries.append(entry(row)) }
        return entries
    }

    private func entry(_ row: Row) -> Entry {
        let names: String = row[1]
        let variant = ResponseVariant(
            names: names.split(separator: ",").map(String.init),
            selection: UInt64(bitPattern: row[2]),
            fingerprint: UInt64(bitPattern: row[3]),
            size: row[4]
        )
        let response = StoredResponse(
            status: HTTPResponse.Status(code: row[5]),
            fields: HTTPFields(lines: row[6]),
            body: row[7],
            requestedAt: row[8],
            receivedAt: row[9],
            variant: variant,
            isHeuristic: isHeuristic
        )
        return Entry(id: row[0], response: response)
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

    /// Notes the last uses of responses, in their order.
    func note(_ uses: [Int64]) throws {
        let first = try nextUse()
        for (offset, id) in uses.enumerated() {
            try database.execute(
                sql: "UPDATE response SET lastUse = ? WHERE id = ?",
                arguments: [first + Int64(offset), id]
            )
        }
    }

    private func nextUse() throws -> Int64 {
        (try Int64.fetchOne(database, sql: "SELECT max(lastUse) FROM response") ?? 0) + 1
    }

    /// Removes the least recently used responses until all others fit.
    func evict(downTo limit: Int) throws {
        var size = try Int.fetchOne(database, sql: "SELECT size FROM state") ?? 0
        while size > limit {
            let row = try Row.fetchOne(database, sql: "SELECT id, size FROM response ORDER BY lastUse, id LIMIT 1")
            guard let row else { return }
            try remove(ids: [row["id"]])
            size -= row["size"] as Int
        }
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
        let statement = try database.cachedStatement(
            sql: "SELECT coalesce(sum(count), 0) FROM fence WHERE id IN (?, ?)"
        )
        return try Int64.fetchOne(statement, arguments: [fence(key.url), fence(key.partition)]) ?? 0
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
