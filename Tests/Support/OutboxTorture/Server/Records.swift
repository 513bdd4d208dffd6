import BackplaneConformance
import BackplaneTesting
import Foundation

/// The records of the server.
struct Records: Sendable {
    struct Outcome {
        let isDone: Bool
        let reply: ScriptedServer.Reply

        static func done(_ reply: ScriptedServer.Reply) -> Outcome { Outcome(isDone: true, reply: reply) }
        static func refused(_ reply: ScriptedServer.Reply) -> Outcome { Outcome(isDone: false, reply: reply) }
    }

    private struct Record: Sendable {
        /// The part of its tags that names it.
        let name: String
        var numbers: [Int] = []
        /// At which numbers of changes others have changed it.
        var foreignChanges: [Int] = []

        /// The second record of a user gives no tags.
        var hasTags: Bool { !name.hasSuffix("-r1") }
        var tag: String { "\"\(name)#\(numbers.count)\"" }

        /// Returns the tag in the response to a change.
        ///
        /// The third record of a user gives none then, and the fourth one sometimes a wrong one.
        func tag(after operation: TortureOperation) -> String? {
            if name.hasSuffix("-r3"), operation.number.isMultiple(of: 3) { return "\"\(name)#wrong\"" }
            return hasTags && !name.hasSuffix("-r2") ? tag : nil
        }
    }

    private var records: [String: Record] = [:]
    private var idsOfServer: [String: String] = [:]
    /// The keys of requests that arrived with an ID of the app before the record was created, and
    /// whose bytes must not change any more.
    private var earlyKeys: Set<String> = []

    /// The numbers that have changed each record, by the ID that the app has made.
    var values: [String: [Int]] {
        let temporaryIDs = Dictionary(uniqueKeysWithValues: idsOfServer.map { ($0.value, $0.key) })
        let pairs = records.map { (temporaryIDs[$0.key] ?? $0.key, $0.value.numbers) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Notes a request for a record.
    mutating func arrived(_ id: String?, key: String) {
        if let id, id.hasPrefix("new-"), idsOfServer[id] == nil { earlyKeys.insert(key) }
    }

    /// Carries out an operation on the record whose ID stands in the path.
    mutating func perform(
        _ operation: TortureOperation,
        on id: String?,
        key: String,
        if condition: String?,
        ignoringTags: Bool,
        _ history: inout History
    ) -> Outcome {
        if operation.sort == .creation { return .done(create(operation)) }
        guard let id, let temporaryID = operation.record else {
            return .done(.json(#"{"number":\#(operation.number)}"#))
        }
        var name = id
        if let known = idsOfServer[id] {
            // A client that knows only by a question that the record exists cannot know its ID.
            let creation = records[known]?.numbers.first ?? 0
            if !history.findings.contains(creation), !earlyKeys.contains(key) {
                history.breaches.append((.temporaryID, operation.number))
            }
            name = known
        }
        if records[name] == nil {
            guard !temporaryID.hasPrefix("new-") else {
                // The creation was refused. An edited operation does without the record.
                return operation.edition > 0
                    ? .done(.json(#"{"number":\#(operation.number)}"#)) : .refused(.status(404))
            }
            records[name] = Record(name: name)
        }
        guard var record = records[name] else { return .refused(.status(404)) }
        if let condition, !condition.hasPrefix("\"\(record.name)#") {
            history.breaches.append((.mixedTags, operation.number))
        }
        if let condition, condition != record.tag {
            guard ignoringTags else {
                return .refused(Self.reply(name, record, status: 412))
            }
            history.breaches.append((.overwritten, operation.number))
        }
        record.numbers.append(operation.number)
        records[name] = record
        return .done(Self.reply(name, record, after: operation))
    }

    private mutating func create(_ operation: TortureOperation) -> ScriptedServer.Reply {
        let id = "s/\(operation.number) ?é"
        let record = Record(name: "s\(operation.number)", numbers: [operation.number])
        records[id] = record
        idsOfServer[operation.record ?? ""] = id
        return Self.reply(id, record, after: operation)
    }

    /// Has another user change a record, unless it does not exist.
    mutating func editByOthers(_ id: String?, _ operation: TortureOperation) {
        guard let id, var record = records[id] else { return }
        record.numbers.append(-operation.number)
        record.foreignChanges.append(record.numbers.count)
        records[id] = record
    }

    func foreignChanges(of id: String?) -> [Int] { id.flatMap { records[$0]?.foreignChanges } ?? [] }

    /// Returns a record for somebody who loads it.
    func load(_ id: String) -> ScriptedServer.Reply {
        let name = idsOfServer[id] ?? id
        if name.hasPrefix("new-") { return .status(404) }
        return Self.reply(name, records[name] ?? Record(name: name))
    }

    private static func reply(
        _ id: String,
        _ record: Record,
        after operation: TortureOperation? = nil,
        status: Int = 200
    ) -> ScriptedServer.Reply {
        let tag = operation.map(record.tag) ?? (record.hasTags ? record.tag : nil)
        let value = TortureRecord(id: id, numbers: record.numbers, tag: tag, number: operation?.number)
        let body = (try? JSONEncoder().encode(value)) ?? Data()
        return ScriptedServer.Reply(status: status, headers: tag.map { ["ETag": $0] } ?? [:], body: body)
    }
}
