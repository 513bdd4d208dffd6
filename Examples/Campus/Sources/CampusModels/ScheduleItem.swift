/// One weekly appointment of a course.
public struct ScheduleItem: Codable, Hashable, Sendable, Identifiable {
    /// What identifies an appointment.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A day of the week.
    public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// What identifies this appointment.
    public let id: ID
    /// What takes place: a lecture, an exercise.
    public let title: String
    /// The day it takes place on, every week.
    public let day: Weekday
    /// When it starts, in the campus's own time.
    public let starts: TimeOfDay
    /// When it ends, in the campus's own time.
    public let ends: TimeOfDay
    /// Where it takes place.
    public let room: String

    /// An appointment as the API knows it.
    public init(id: ID, title: String, day: Weekday, starts: TimeOfDay, ends: TimeOfDay, room: String) {
        self.id = id
        self.title = title
        self.day = day
        self.starts = starts
        self.ends = ends
        self.room = room
    }
}
