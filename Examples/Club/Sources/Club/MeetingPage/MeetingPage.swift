import Backplane

nonisolated struct Meeting: Codable, Identifiable, Sendable {
    let id: String
    let book: String
    let day: String
}

/// The page of a meeting, which sends the ID when the user wants a seat.
nonisolated enum MeetingPage: BoardContract {
    typealias Input = Meeting.ID
    typealias Output = Meeting.ID
}
