public import Backplane
public import CampusModels

/// A user's start page, which shows the courses and leads to the other screens.
///
/// Its outputs and commands are `Codable`, so that a recorded session can be replayed.
public enum Dashboard: BoardContract {
    /// The path of the dashboard's deep link.
    public static let path = "/"

    /// The user's choices, and the dashboard's requests.
    public enum Output: Codable, Hashable, Sendable {
        /// The user opens a course.
        case open(Course.ID)
        /// The dashboard needs the counts of the week, because it has none or they are out of date.
        case needsWeek
    }

    /// The commands from other boards.
    public enum Command: Codable, Hashable, Sendable {
        /// Reloads everything.
        case refresh
        /// Requests the counts of the week again.
        case weekChanged
        /// Shows the counts of the week.
        case show(Week)
        /// Says why the counts of the week could not be loaded, in a text for the user.
        case failWeek(String)
        /// The user has asked to sign out, and stays.
        case stay
    }

    /// The counts of a user's appointments and to-dos in a week.
    public struct Week: Codable, Hashable, Sendable {
        /// The number of appointments.
        public let appointments: Int
        /// The number of to-dos that are not done.
        public let openTodos: Int

        /// Creates a week with these counts.
        public init(appointments: Int, openTodos: Int) {
            self.appointments = appointments
            self.openTodos = openTodos
        }
    }
}
