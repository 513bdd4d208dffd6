import BackplaneFeatures
import BackplaneStorage
import Foundation
import TestSupport

/// An operation of the run, as it stands in its request, its label and its change.
///
/// It describes itself. So the server and the oracle know from any of the three what must become of
/// it.
struct TortureOperation: Codable, Hashable, Sendable {
    enum Sort: String, Codable, Sendable {
        case note
        /// Of a kind whose refused operations block the following ones.
        case step
        /// From an extension.
        case letter
        /// The change of a record.
        case edit
        /// The creation of a record, to which the server gives another ID.
        case creation
        /// An operation that names a created record by the ID that the app made.
        case follower
    }

    /// A decision of the user about a refused operation.
    enum Decision: Sendable {
        case leave
        case discard
        case edit
        case retry
    }

    let number: Int
    let account: String
    let sort: Sort
    /// Operations of one entity are carried out in their order.
    let entity: String
    /// The ID of the record that it changes, as the app knows it.
    var record: String?
    /// The operation that it needs.
    var after: Int?
    /// How often it was edited.
    private(set) var edition = 0
    /// A text that occurs nowhere else, to find traces of the operation.
    private(set) var words: String

    init(_ number: Int, of account: String, _ sort: Sort, entity: String, record: String? = nil, after: Int? = nil) {
        (self.number, self.account, self.sort, self.entity) = (number, account, sort, entity)
        (self.record, self.after) = (record, after)
        words = Self.words(account, number, 0)
    }

    /// The operation that takes its place.
    var edited: TortureOperation {
        var next = self
        next.edition += 1
        next.words = Self.words(account, number, next.edition)
        return next
    }

    private static func words(_ account: String, _ number: Int, _ edition: Int) -> String {
        "canary.\(account).\(number).\(edition)."
    }

    /// The key of operations whose keys the app makes.
    var key: IdempotencyKey? { Self.key(of: number) }

    static func key(of number: Int) -> IdempotencyKey? {
        IdempotencyKey("00000000-0000-4000-8000-\(String(String(number + 1_000_000_000_000).dropFirst()))")
    }

    /// The status with which the server refuses it until it is edited or, unless this is 422, sent
    /// again.
    var refusal: Int? {
        if edition > 0 { return nil }
        return switch number % 16 {
        case 3: 404
        case 7: 422
        case 11: 412
        case 13: 403
        case 15: 409
        default: nil
        }
    }

    /// Returns the decision of the user after a response with `status`.
    func decision(after status: Int?) -> Decision {
        var generator = SeededGenerator(seed: UInt64(number) &* 7919)
        switch generator.below(4) {
        case 0: return edition == 0 ? .leave : .edit
        case 1: return .discard
        // The server has stored a 422, and would repeat it; a record that is missing stays so.
        case 2 where status != 422 && edition == 0 && sort != .follower: return .retry
        default: return .edit
        }
    }

    // MARK: Text

    /// The label under which the outbox knows it.
    var label: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self)
    }

    init?(label: String?) {
        guard let data = label?.data(using: .utf8), let known = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = known
    }
}

/// A record of the server, whose value is the numbers of the operations that have changed it.
struct TortureRecord: Codable, Equatable, Identifiable, Sendable {
    let id: String
    var numbers: [Int]
    var tag: String?
    /// In a response, the operation that it answers.
    var number: Int?
}

/// An operation that changes a record.
struct TortureChange: RecordChange {
    let operation: TortureOperation

    var intent: Intent<TortureRecord> {
        switch operation.sort {
        case .creation: .replace(TortureRecord(id: operation.record ?? "", numbers: [operation.number]))
        default: .edit { $0.numbers.append(operation.number) }
        }
    }
}

extension OutboxKind {
    /// Returns the kind of an operation, with the key window that the client believes in.
    static func of(_ sort: TortureOperation.Sort, keyWindow: Int) -> OutboxKind {
        let window = Duration.seconds(keyWindow)
        return switch sort {
        case .note, .letter, .follower: OutboxKind("notes", keyWindow: window)
        case .step: OutboxKind("steps", keyWindow: window, blocksFollowing: true)
        case .edit, .creation: OutboxKind("records", keyWindow: window)
        }
    }

    static func all(keyWindow: Int) -> [OutboxKind] {
        [.note, .step, .edit].map { .of($0, keyWindow: keyWindow) }
    }
}
