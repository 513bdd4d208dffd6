import Backplane
import BackplaneFeatures

/// The seat of the signed-in member at one meeting.
nonisolated struct Seat: Codable, Identifiable, Sendable {
    let id: Meeting.ID
    /// The number of guests; `nil` without a seat.
    var guests: Int?

    var text: String { guests.map { "You have a seat and \($0) for guests." } ?? "You have no seat." }
}

/// The page of a seat, which sends the meeting when the member asks for a seat.
nonisolated enum SeatPage: BoardContract {
    typealias Input = Meeting.ID
    typealias Output = Meeting.ID
}

/// The change that takes a seat.
nonisolated struct TakeSeat: RecordChange {
    let guests: Int

    var intent: Intent<Seat> { .set(\.guests, to: guests) }
}
