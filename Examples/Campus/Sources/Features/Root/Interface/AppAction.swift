public import Backplane

/// Where the app begins: decides whether to show the dashboard or the login.
public enum Root: BoardContract {}

extension BoardID<Root> {
    /// The root board.
    public static var root: Self { "root" }
}
