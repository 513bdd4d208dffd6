import Backplane

struct User: Hashable, Sendable {
    struct ID: RawRepresentable, Hashable, Sendable, LinkParameter {
        let rawValue: String
    }

    let id: ID
    var name = "Ada"
}

enum Login: BoardContract {
    typealias Output = User.ID
}

enum Dashboard: BoardContract {
    typealias Input = User.ID
    typealias Output = String

    enum Command {
        case refresh
    }
}

enum Profile: BoardContract {
    struct Input {
        var user: User.ID
        var tab = "about"
    }

    typealias Output = String
}

enum Search: BoardContract {
    typealias Input = String
    typealias Output = Int
}

enum Upload: BoardContract {
    typealias Input = Int
}

extension BoardID<Login> {
    static var login: Self { "login" }
}

extension BoardID<Dashboard> {
    static var dashboard: Self { "dashboard" }
}

extension BoardID<Profile> {
    static var profile: Self { "profile" }
    static var friend: Self { "friend" }
}

extension BoardID<Search> {
    static var search: Self { "search" }
}

extension BoardID<Upload> {
    static var upload: Self { "upload" }
}
