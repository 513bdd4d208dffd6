internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// The ID of a record in the app, and the ID that the server has given it instead (A11).
struct OutboxRename: Sendable {
    let old: String
    let new: String

    /// Returns JSON with the new ID.
    func applied(to json: Data?) -> Data? {
        guard let json, let text = String(data: json, encoding: .utf8) else { return json }
        return Data(text.replacing(old.escapedForJSON, with: new.escapedForJSON).utf8)
    }

    /// Returns the name of an entity with the new ID.
    func applied(to entity: String, of kind: String, _ record: Data?) -> String {
        // By default, the name of the entity contains the ID as JSON.
        if let record, entity == OutboxDraft.entity(of: kind, record), let record = applied(to: record) {
            return OutboxDraft.entity(of: kind, record)
        }
        return entity.replacing(old, with: new)
    }
}

extension OutboxRow {
    /// The text of an ID that is written as JSON, as it occurs in a path.
    static func text(ofID json: Data) -> String {
        (try? JSONDecoder().decode(String.self, from: json)) ?? String(decoding: json, as: UTF8.self)
    }
}

extension OutboxTransaction {
    /// A11, D6: Replaces the ID of a record in all operations that the server cannot know yet.
    func rename(_ old: String, to new: String, in account: String) throws {
        guard !new.isEmpty else { return }
        let rename = OutboxRename(old: old, new: new)
        try run("INSERT OR REPLACE INTO alias (account, old, new) VALUES (?, ?, ?)", [account, old, new])
        // The server may replace an ID more than once.
        try run("UPDATE alias SET new = ? WHERE account = ? AND new = ?", [new, account, old])
        let rows = try rows("WHERE account = ?", [account])
        var lines: [String: String] = [:]
        for row in rows {
            let entity = rename.applied(to: row.entity, of: row.kind, row.record)
            if entity != row.entity { lines[row.entity] = entity }
            // A request that the server may know keeps its bytes, also if the server has refused
            // it: one key means one request.
            if row.entry.firstSentAt == nil, row.entry.status == nil, !row.entry.state.hasFailed {
                try write(rename, to: row)
            }
        }
        for (line, name) in lines { try join(line, to: name, in: account) }
    }

    private func write(_ rename: OutboxRename, to row: OutboxRow) throws {
        guard let request = row.frozenRequest else { return }
        let data = request.replacing(rename.old, with: rename.new).data
        let (record, change) = (rename.applied(to: row.record), rename.applied(to: row.change))
        if data == row.request, record == row.record, change == row.change { return }
        try run(
            "UPDATE operation SET request = ?, checksum = ?, record = ?, change = ?, base = ? WHERE seq = ?",
            [
                data, OutboxRow.checksum(of: data), record, change, rename.applied(to: row.base), row.seq,
            ]
        )
    }

    /// D33: Gives all operations of an entity the name of another one, so that they are one line.
    ///
    /// If both are under way, they stay two lines, because one line has one operation under way.
    private func join(_ line: String, to name: String, in account: String) throws {
        if try isSending(line, in: account), try isSending(name, in: account) { return }
        try run("UPDATE operation SET entity = ? WHERE account = ? AND entity = ?", [name, account, line])
        try setHead(of: name, in: account)
    }

    private func isSending(_ line: String, in account: String) throws -> Bool {
        try first(
            "SELECT 1 FROM operation WHERE account = ? AND entity = ? AND state = 'sending'",
            [account, line]
        ) != nil
    }

    /// A11, D29: Replaces the IDs in a new operation that the server has replaced meanwhile.
    func renamed(_ draft: OutboxDraft) throws -> OutboxDraft {
        guard try value("SELECT 1 FROM alias WHERE account = ? LIMIT 1", [draft.account], as: Int.self) != nil else {
            return draft
        }
        // The longest first, because it may contain a shorter one.
        let sql = """
            SELECT old, new FROM alias WHERE account = ? AND instr(?, CAST(old AS BLOB)) > 0
            ORDER BY length(old) DESC, old
            """
        let mentioned = try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: [draft.account, draft.words]
        )
        var draft = draft
        for row in mentioned {
            let rename = OutboxRename(old: row["old"], new: row["new"])
            if let request = FrozenRequest(draft.request) {
                draft.request = request.replacing(rename.old, with: rename.new).data
            }
            let entity = rename.applied(to: draft.entity, of: draft.kind.name, draft.record)
            // A line that could not be joined keeps its name, and its order.
            if try !isAny(in: draft.entity, of: draft.account) { draft.entity = entity }
            draft.record = rename.applied(to: draft.record)
            draft.change = rename.applied(to: draft.change)
        }
        return draft
    }

    private func isAny(in line: String, of account: String) throws -> Bool {
        try first(
            "SELECT 1 FROM operation WHERE account = ? AND entity = ? LIMIT 1",
            [account, line]
        ) != nil
    }
}

extension OutboxDraft {
    /// Everything in which an ID may occur.
    fileprivate var words: Data {
        let request = FrozenRequest(request)
        let target = Data((request?.target.removingPercentEncoding ?? "").utf8)
        return [self.request, target, Data(entity.utf8), record, change]
            .compactMap { $0 }.reduce(into: Data()) { $0 += $1 + [0] }
    }
}
