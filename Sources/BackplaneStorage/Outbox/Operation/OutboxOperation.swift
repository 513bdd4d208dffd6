public import BackplaneFeatures
public import Foundation

/// An operation in an ``Outbox`` that the server has not confirmed.
///
/// It is a copy of the data in the file at the time of reading. Its description contains no data of
/// the user.
public struct OutboxOperation: Identifiable, Sendable {
    /// The key that every attempt has, and that identifies the operation in the file.
    public let id: IdempotencyKey
    /// The name of its ``OutboxKind``.
    public let kind: String
    /// The version of its kind when it was made.
    let version: Int
    /// The name of the thing that the operation changes; operations with the same name are sent in
    /// order.
    public let entity: String
    /// A text for the user, given by the app.
    public let label: String?
    /// The state of the operation.
    public let state: DeliveryState
    /// The number of attempts that have begun.
    public let attempts: Int
    /// The time when the user made the change, by the clock of the device.
    public let createdAt: Date
    /// The time of the first attempt, or `nil` if the server has certainly not carried out the
    /// operation.
    public let firstSentAt: Date?
    /// The earliest time of the next attempt, or `nil` if the operation need not wait.
    public let notBefore: Date?
    /// The status of the last response, or `nil` if there was none.
    public let status: Int?
    /// The reason why the operation is not confirmed: the text of the server, if there is one.
    public let reason: String?
    /// The change as JSON, if it is a change of a record.
    let change: Data?
    /// The server's version of the record in a conflict, as JSON.
    let theirs: Data?
    /// The record before the change, as JSON, if it was kept.
    let base: Data?

    /// Returns the change of a record that the operation sends, or `nil` if the change has another
    /// type.
    ///
    /// ```swift
    /// if let message = operation.change(as: SendMessage.self) { edit(message.text) }
    /// ```
    public func change<Change: RecordChange>(as type: Change.Type) -> Change? {
        change.flatMap { try? JSONDecoder().decode(Change.self, from: $0) }
    }
}

/// The three versions of a record in a conflict, for the code or the user that resolves it (D22).
///
/// The conflict is resolved by ``AccountOutbox/edit(_:to:change:entityTag:label:)``,
/// ``AccountOutbox/retry(_:)`` or ``AccountOutbox/discard(_:)``.
public struct RecordConflict<Change: RecordChange> {
    /// The operation that the server did not carry out, because the record there has changed.
    public let operation: OutboxOperation
    /// The user's change.
    public let change: Change
    /// The record that the user changed; `nil` if the store has no entity tags.
    public let base: Change.Value?
    /// The record as the user wants it; `nil` without ``base``.
    public let mine: Change.Value?
    /// The record on the server; `nil` if the body of the response is not the record as JSON.
    public let theirs: Change.Value?
}

extension RecordConflict: Sendable where Change.Value: Sendable {}

extension OutboxOperation {
    /// Returns the versions of the record if the operation is in `DeliveryState.conflict` and its
    /// change is of this type; otherwise `nil`.
    ///
    /// ```swift
    /// if let conflict = operation.conflict(over: EditNote.self) { show(conflict.theirs) }
    /// ```
    public func conflict<Change: RecordChange>(over type: Change.Type) -> RecordConflict<Change>?
    where Change.Value: Decodable {
        guard state == .conflict, let change = change(as: type) else { return nil }
        func decoded(_ data: Data?) -> Change.Value? {
            data.flatMap { try? JSONDecoder().decode(Change.Value.self, from: $0) }
        }
        let base = decoded(base)
        return RecordConflict(
            operation: self,
            change: change,
            base: base,
            mine: base.flatMap(change.applied),
            theirs: decoded(theirs)
        )
    }
}

extension RecordChange {
    fileprivate func applied(to value: Value) -> Value? {
        var content = RecordContent.present(value)
        try? intent.apply(to: &content)
        return content.value
    }
}

extension OutboxOperation: CustomStringConvertible, CustomReflectable {
    /// The kind, the entity's operation ID and the state, without the user's data.
    public var description: String { "\(kind) \(id): \(state)\(status.map { " (status \($0))" } ?? "")" }

    /// The same data as `description`, so that printing does not show data of the user.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": "\(id)", "kind": kind, "state": "\(state)", "attempts": attempts])
    }
}

/// The operations of an account in numbers.
public struct OutboxStatus: Hashable, Sendable {
    /// The number of operations in each state; states without operations are missing.
    public let counts: [DeliveryState: Int]
    /// The time when the oldest operation was made, or `nil` if there is none.
    public let oldest: Date?
    /// Whether only parked operations are left, and operations that follow or need a parked one.
    public let isDrained: Bool

    /// The number of operations that the server has not confirmed.
    public var total: Int { counts.values.reduce(0, +) }
    /// The number of operations that need no decision of the user; some may wait for a sign-in, an
    /// update of the app or a network.
    public var pending: Int { counts.reduce(0) { $1.key.isParked ? $0 : $0 + $1.value } }
    /// The number of operations about which the user must decide: see
    /// `DeliveryState.isParked`.
    public var parked: Int { total - pending }

    static let empty = OutboxStatus(counts: [:], oldest: nil, isDrained: true)
}
