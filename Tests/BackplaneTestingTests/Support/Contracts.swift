import Backplane

/// A contract without input, with a name as its output.
enum Login: BoardContract {
    typealias Output = String
}

/// A contract with a name as its input, choices as outputs, and commands.
enum Dashboard: BoardContract {
    typealias Input = String
    enum Output: Equatable {
        case open(Course.ID)
        case signedOut
    }
    enum Command: Equatable {
        case refresh
        case scroll(to: Int)
    }
}

/// A contract with a course ID as its input and an output that is not `Equatable`.
enum CoursePage: BoardContract {
    typealias Input = Course.ID
    struct Output {
        let course: Course
    }
}

struct Course {
    struct ID: RawRepresentable, Hashable {
        let rawValue: String
    }

    let id: ID
    let lessons: [String]
}

/// A contract whose input needs several lines when a failure shows it.
enum Profile: BoardContract {
    struct Input: Equatable {
        var name: String
        var mail: String
        var interests: [String]
    }
}

extension BoardID<Login> { static var login: Self { "login" } }
extension BoardID<Dashboard> { static var dashboard: Self { "dashboard" } }
extension BoardID<Profile> { static var profile: Self { "profile" } }
extension BoardID<CoursePage> { static var course: Self { "course" } }

enum AppAction: BoardFlowAction, Equatable {
    case returnHome
    case open(Course.ID)
}
