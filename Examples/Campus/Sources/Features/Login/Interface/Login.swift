public import Backplane
public import CampusModels

/// Finds out who is there: at once when somebody is logged in, otherwise by asking.
public enum Login: BoardContract {
    /// Who is logged in now.
    public typealias Output = User.ID
}

extension BoardID<Login> {
    /// The login board, which is also the gate in front of what only users may see.
    public static var login: Self { "login" }
}
