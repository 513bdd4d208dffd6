/// A mutation that is not settled, or a failed mutation that was not dismissed.
public struct PendingMutation: Identifiable, Sendable {
    /// The progress of a mutation.
    public enum Status: Hashable, Sendable {
        /// The mutation waits to be sent.
        ///
        /// Earlier mutations of the same record, or earlier insertions of its list, are sent first.
        /// Or an attempt failed, and the server has certainly not carried it out; then
        /// ``PendingMutation/error`` says why.
        case queued
        /// The request is under way.
        case sending
        /// The mutation was sent and its outcome is unknown; it stays visible and is resent.
        case unconfirmed
        /// The mutation ended and was not carried out; ``PendingMutation/error`` has the reason.
        case failed
    }

    /// The mutation's ``Mutation/id``.
    public let id: IdempotencyKey
    /// The mutation's ``Mutation/label``.
    public let label: String?
    /// The ID of the element that the mutation changes, if the value is a collection.
    let element: (any Hashable & Sendable)?
    /// The progress of the mutation.
    public let status: Status
    /// The reason why the mutation failed, or why its outcome is unknown.
    public let error: FeatureError?
    /// Whether the mutation is on the disk, so that it survives the end of the process (D1).
    ///
    /// It is `false` if the mutation exists only in memory, or if the outbox has not yet written
    /// it.
    public let isSaved: Bool
}
