/// A weekly appointment of a course.
public struct ScheduleItem: Codable, Hashable, Sendable, Identifiable {
    /// The ID of an appointment.
    public struct ID: StringIdentifier {
        /// The ID as text.
        public let rawValue: String

        /// Creates the ID with the text `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A day of the week.
    public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// The ID.
    public let id: ID
    /// The title: for example a lecture or an exercise.
    public let title: String
    /// The day of the week.
    public let day: Weekday
    /// The start, in the campus's local time.
    public let starts: TimeOfDay
    /// The end, in the campus's local time.
    public let ends: TimeOfDay
    /// The room.
    public let room: String

    /// Creates an appointment, as in the API.
    public init(id: ID, title: String, day: Weekday, starts: TimeOfDay, ends: TimeOfDay, room: String) {
        self.id = id
        self.title = title
        self.day = day
        self.starts = starts
        self.ends = ends
        self.room = room
    }
}
