public import Backplane

/// The board of a product's screen, as the actions of the screen see it.
///
/// It lives on the window's actor, like the screen.
public protocol ProductContext: AnyObject {
    /// Asks a board inside the session; a user who is not signed in sees the login form first.
    ///
    /// - Parameters:
    ///   - board: the board to activate.
    ///   - input: the input of the board.
    /// - Returns: the board's result.
    /// - Throws: `CancellationError` if the user leaves a form in front of the board, which an
    ///   action ignores; otherwise the board's error.
    func result<Contract>(of board: BoardID<Contract>, with input: Contract.Input) async throws -> Contract.Output

    /// Shows all products.
    func openShop()

    /// Lets the user write a message about a product.
    func ask(about title: String)
}
