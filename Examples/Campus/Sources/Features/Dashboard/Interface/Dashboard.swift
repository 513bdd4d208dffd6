public import Backplane
public import CampusModels

/// A user's start page: the courses, and the ways out.
public enum Dashboard: BoardContract {
    /// Whose dashboard it is.
    public typealias Input = User.ID

    /// What the user chose.
    public enum Output {
        /// To see a course.
        case open(Course.ID)
        /// To leave; nobody is logged in any more.
        case loggedOut
    }

    /// What others may tell it.
    public enum Command {
        /// To load the courses anew.
        case refresh
    }
}

extension BoardID<Dashboard> {
    /// The dashboard board.
    public static var dashboard: Self { "dashboard" }
}
