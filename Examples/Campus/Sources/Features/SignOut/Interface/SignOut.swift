public import Backplane

/// Logs the user out, here and at the server.
public enum SignOut: BoardContract {}

extension BoardID<SignOut> {
    /// The board that logs out; while it is at it, it is not to be had a second time.
    public static var signOut: Self { "signOut" }
}
