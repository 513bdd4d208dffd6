public import Backplane

/// Counts something that all of a user's courses have in store.
public enum Agenda: BoardContract {
    /// How many there are.
    public typealias Output = Int
}

extension BoardID<Agenda> {
    /// Counts the appointments in a week.
    public static var appointments: Self { "appointments" }
    /// Counts the to-dos that are not ticked.
    public static var openTodos: Self { "openTodos" }
}
