import Backplane

/// Nothing in, a name out.
enum Login: BoardContract {
    typealias Output = String
}

/// A name in, choices out, told to refresh.
enum Dashboard: BoardContract {
    typealias Input = String
    enum Output: Equatable {
        case open(Course.ID)
        case loggedOut
    }
    enum Command: Equatable {
        case refresh
        case scroll(to: Int)
    }
}

/// The ID of a course in; nothing that can be compared out.
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

/// Much in.
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
