import CampusAccounts
import CampusModels

/// What anybody may ask of Campus, whoever answers: the API, or nobody but this process.
///
/// What it throws is a `DisplayError`, in words for people.
protocol CampusService: Sendable {
    func catalogue() async throws -> [Product]
    func product(_ id: Product.ID) async throws -> Product

    /// The account of who is logged in already, if anybody is.
    func account() async -> (any Account)?

    /// Why somebody who was logged in is not any more, if that needs to be said.
    func notice() async -> String?

    /// Logs in.
    ///
    /// `onEntry` is called when the server has let somebody in, before anything of theirs is kept.
    func logIn(with request: LoginRequest, onEntry: @escaping @Sendable () async -> Void) async throws -> any Account
}
