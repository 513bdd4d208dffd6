public import Backplane
public import CampusModels

/// A user's start page: the courses, and the ways out.
///
/// What it sends and obeys is `Codable`, so that a recorded session can be replayed.
public enum Dashboard: BoardContract {
    /// The user's choices, and the dashboard's requests.
    public enum Output: Codable, Hashable, Sendable {
        /// To see a course.
        case open(Course.ID)
        /// To write a message.
        case compose
        /// To leave.
        case logOut
        /// The dashboard needs the numbers of the week: it has none yet, or they are out of date.
        case needsWeek
    }

    /// What others may tell it.
    public enum Command: Codable, Hashable, Sendable {
        /// To load everything anew.
        case refresh
        /// To request the numbers of the week again.
        case weekChanged
        /// To show what is ahead.
        case show(Week)
    }

    /// What a user has ahead in a week.
    public struct Week: Codable, Hashable, Sendable {
        /// How many appointments there are.
        public let appointments: Int
        /// How many to-dos are not ticked.
        public let openTodos: Int

        /// A week with so much in it.
        public init(appointments: Int, openTodos: Int) {
            self.appointments = appointments
            self.openTodos = openTodos
        }
    }
}

extension BoardID<Dashboard> {
    /// The dashboard board.
    public static var dashboard: Self { "dashboard" }
}
