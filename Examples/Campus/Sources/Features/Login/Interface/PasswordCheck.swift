public import Backplane

/// Asks the signed-in user for the password again, as a gate in front of a board.
///
/// It sends its output only when the server has accepted the password.
public enum PasswordCheck: BoardContract {
    /// The reason, as a text for the user.
    ///
    /// Another reason is another question.
    public typealias Input = String
    /// Says that the password is the user's.
    public typealias Output = Void
}
