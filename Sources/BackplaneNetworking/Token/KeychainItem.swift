import Foundation

/// The calls about one item of a keychain, each of which returns the status of the system.
protocol Keychain: Sendable {
    func read() -> (status: Int32, data: Data?)
    func add(_ data: Data) -> Int32
    func update(_ data: Data) -> Int32
    func delete() -> Int32
}

/// The tokens in one item of a keychain, without the frameworks of a system.
struct KeychainItem: Sendable {
    /// The statuses that have an outcome of their own, with the numbers of `SecBase.h`.
    enum Status {
        static let success: Int32 = 0
        static let duplicateItem: Int32 = -25299
        static let itemNotFound: Int32 = -25300
        static let interactionNotAllowed: Int32 = -25308
        static let missingEntitlement: Int32 = -34018
    }

    let service: String
    let keychain: any Keychain

    func load() throws -> NetworkTokens? {
        let (status, data) = keychain.read()
        if status == Status.itemNotFound { return nil }
        try check(status, "read")
        guard let tokens = data.flatMap({ try? JSONDecoder().decode(NetworkTokens.self, from: $0) }) else {
            // Without the decoder's error, which may contain data.
            throw NetworkError.vaultFailed(
                "The Keychain item of \(service) does not contain valid tokens. Clear the vault and sign in again."
            )
        }
        return tokens.stored
    }

    func save(_ tokens: NetworkTokens) throws {
        let data = try JSONEncoder().encode(tokens)
        var status = keychain.update(data)
        if status == Status.itemNotFound { status = keychain.add(data) }
        // Another process has added the item in the meantime.
        if status == Status.duplicateItem { status = keychain.update(data) }
        try check(status, "written")
    }

    func clear() throws {
        let status = keychain.delete()
        if status != Status.itemNotFound { try check(status, "removed") }
    }

    private func check(_ status: Int32, _ verb: String) throws {
        guard status != Status.success else { return }
        let remedy =
            switch status {
            case Status.interactionNotAllowed:
                "The device is locked since it started, or the item needs the user. Its tokens are still there: try "
                    + "again when protected data is available, and do not sign in again."
            case Status.missingEntitlement:
                "Sign the app, and give it the entitlement for the Keychain and for its access group."
            default:
                "`SecCopyErrorMessageString` describes the status."
            }
        throw NetworkError.vaultFailed(
            "The Keychain item of \(service) could not be \(verb) (status \(status)). \(remedy)"
        )
    }
}
