/// A breach of the rules that the oracle can find.
enum Violation: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    case lost
    case duplicated
    case reordered
    /// Sent before the operation that it needs, or without it.
    case early
    /// Sent with another user's token.
    case mixedUsers = "mixed users"
    /// Sent with the entity tag of another record.
    case mixedTags = "mixed tags"
    /// A change of somebody else was overwritten, and nobody was asked.
    case overwritten
    /// Sent with an ID that the server had replaced.
    case temporaryID = "temporary ID"
    case changedBytes = "changed bytes"
    /// Sent after it was discarded.
    case resurrected
    /// Carried out, but not saved.
    case notSaved = "carried out though not saved"
    /// Not saved, without a reason.
    case refusedSave = "not saved without a reason"
    /// Left in the file, without a reason.
    case stuck
    /// A page of the app shows something else than the file has.
    case shown = "shown wrongly"
    /// Words of an operation that is gone.
    case traces
    case response = "wrong response"
    /// Too many requests for one operation.
    case busy
    case liveness
    case ended = "ended by itself"
    case notPlayed = "not played"
}
