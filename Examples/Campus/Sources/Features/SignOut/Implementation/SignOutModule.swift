public import Backplane
import SignOutInterface

/// The feature of logging out: a board that is one function.
public struct SignOutModule: BoardModule {
    private let signOut: () async throws -> Void

    /// The feature.
    ///
    /// - Parameter signOut: logs the user out.
    public init(signOut: @escaping () async throws -> Void) {
        self.signOut = signOut
    }

    /// Registers the board.
    public func register(on motherboard: Motherboard) {
        motherboard.registerTask(.signOut, .exclusive) { _, _ in try await signOut() }
    }
}
