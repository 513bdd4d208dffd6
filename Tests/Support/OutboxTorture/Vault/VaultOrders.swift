import BackplaneNetworking
import Foundation

/// The driver's orders to a process with a vault: its only argument, as JSON.
struct VaultOrders: Codable, Sendable {
    enum Step: String, Codable, Sendable {
        case request
        case signOut
        case signIn
        case replace
    }

    /// A safeguard that is left out, so that the history must show a violation.
    enum Ablation: String, CaseIterable, Codable, Sendable {
        /// The vault has no locks.
        case noLock = "no-lock"
        /// The vault keeps the tokens of a user who has signed out.
        case noClear = "no-clear"
        /// The vault forgets each save at once.
        case noSave = "no-save"
    }

    let vault: String
    let port: UInt16
    /// The user who signs in if nobody is signed in, or `nil` for a process that only uses a vault.
    var account: String?
    var steps: [Step] = []
    /// The access to the vault at which the process ends itself.
    var dyingAt: Int?
    var ablation: Ablation?
}

/// The name of a sign-in and its user, which every token of that sign-in contains.
struct VaultFamily: Hashable, Sendable, CustomStringConvertible {
    let account: String
    let number: Int

    init(account: String, number: Int) {
        self.account = account
        self.number = number
    }

    /// Reads the family of a token such as `a.ada.3.1`, or of its own description.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".").drop { $0.count == 1 && Int($0) == nil }
        guard let account = parts.first, let number = parts.dropFirst().first.flatMap({ Int($0) }) else { return nil }
        (self.account, self.number) = (String(account), number)
    }

    var description: String { "\(account).\(number)" }
}

extension AuthenticatedEndpoint<[String: String]> {
    static func me(_ account: String) -> Self { Self(.get("me/\(account)")) }
}

extension AuthenticatedEndpoint<NetworkTokens> {
    static var newPassword: Self { Self(.post("password")) }
}

extension NonAuthenticatedEndpoint<Void> {
    static func revoke(_ tokens: NetworkTokens) -> Self {
        Self(.post("revoke", body: .json(["token": tokens.refresh?.rawValue])))
    }
}
