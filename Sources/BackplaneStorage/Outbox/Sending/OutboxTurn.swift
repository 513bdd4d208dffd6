internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation

/// The result of one turn of a sender.
struct OutboxTurn: Sendable {
    /// Whether this sender has the lease; without work, it does not take it.
    var isHolder = true
    /// Whether another sender has the lease.
    var isBusy = false
    /// The operations that are marked as being sent.
    var claimed: [OutboxClaim] = []
    /// The operations that the server has confirmed.
    var acknowledged: [String] = []
    /// The operations that continue in another state.
    var changed: [OutboxRow] = []
    /// Whether another sender may have sent operations since the last turn.
    var hasTakenOver = false
    /// Whether more operations than the limit may be sent, and some of the found ones were not.
    var hasMore = false
    /// When the next operation may be sent, in milliseconds.
    var wakeAt: Int64?
}

/// An operation that is marked as being sent.
struct OutboxClaim: Sendable {
    let row: OutboxRow
    let request: FrozenRequest
    /// Whether no earlier attempt has an unknown outcome.
    let isFirst: Bool
}

/// The end of an attempt, to be written.
struct OutboxOutcome: Sendable {
    let row: OutboxRow
    let reply: ChangeReply
    let attempt: ChangeAttempt
    /// The response of an attempt that was successful.
    var response: ServerReply?
    /// The server's version of the record, if it has refused the operation because of it.
    var theirs: Data?
    /// How often the user had signed in again when the attempt began.
    let resumptions: Int
    /// A11: The ID in the app and the ID from the server of a record that was created.
    var alias: (old: String, new: String)?

    /// Returns the outcome after a sign-in: an attempt that was refused before it only has to be
    /// repeated.
    func resumed(before resumptions: Int) -> OutboxOutcome {
        guard reply.needsSignIn, self.resumptions != resumptions else { return self }
        return OutboxOutcome(row: row, reply: .stopped, attempt: attempt, resumptions: resumptions)
    }
}

/// The input of a turn.
struct OutboxTurnRequest: Sendable {
    /// How long a sender that stops without a word keeps others from sending, in milliseconds (D8).
    static let leaseDuration: Int64 = 15_000

    let account: String
    /// The sender.
    let holder: OutboxHolder
    var outcomes: [OutboxOutcome] = []
    /// Whether other attempts of the sender are under way.
    var isSending = false
    /// How many operations may be claimed.
    var limit = 0
    var kinds: [String: OutboxKind] = [:]
    var isMetered = false
    /// The time for waits and ages, in milliseconds.
    let now: Int64
    /// The time of day for the lease, which all processes share, in milliseconds.
    let timeOfDay: Int64
}
