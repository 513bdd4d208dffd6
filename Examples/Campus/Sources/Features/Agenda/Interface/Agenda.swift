public import Backplane

/// A count over all courses of a user.
public enum Agenda: BoardContract {
    /// The number of appointments or to-dos.
    public typealias Output = Int
}

extension BoardID<Agenda> {
    /// Counts the appointments in a week.
    public static var appointments: Self { "appointments" }
    /// Counts the to-dos that are not done.
    public static var openTodos: Self { "openTodos" }
}
