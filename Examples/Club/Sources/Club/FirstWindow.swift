import Backplane

extension ClubWindow {
    /// Returns a window with one feature, which shows one meeting.
    static func withOneMeeting() -> ClubWindow {
        let window = ClubWindow { navigator in
            [MeetingModule(navigator: navigator, load: { id in Meeting(id: id, book: "Walden", day: "Tuesday") })]
        }
        window.motherboard.activate(MeetingPage.id, with: "1")
        return window
    }
}
