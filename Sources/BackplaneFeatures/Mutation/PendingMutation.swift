/// A mutation that is not settled, or that failed and has not been dismissed.
public struct PendingMutation: Identifiable, Sendable {
    /// How far a mutation has got.
    public enum Status: Hashable, Sendable {
        /// Others of its record are sent first.
        case queued
        /// It is on its way.
        case sending
        /// It was sent, and nobody knows whether the server has carried it out; it stays visible and is sent again.
        case unconfirmed
        /// It is over and was not carried out; ``PendingMutation/error`` says why.
        case failed
    }

    /// The mutation's ``Mutation/id``.
    public let id: IdempotencyKey
    /// The mutation's ``Mutation/label``.
    public let label: String?
    /// How far it has got.
    public let status: Status
    /// Why it failed, or why its outcome is unknown.
    public let error: FeatureError?
}
