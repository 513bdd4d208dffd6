import BackplaneNetworking

/// A vault in a file, during whose use something else happens.
struct InterruptedVault: TokenVault {
    private let file: FileTokenVault
    private let beforeSave: @Sendable (NetworkTokens) async -> Void
    private let beforeWrite: @Sendable () async throws -> Void

    init(
        _ file: FileTokenVault,
        beforeSave: @escaping @Sendable (NetworkTokens) async -> Void = { _ in },
        beforeWrite: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.file = file
        self.beforeSave = beforeSave
        self.beforeWrite = beforeWrite
    }

    func load() async throws -> NetworkTokens? { try await file.load() }

    func save(_ tokens: NetworkTokens) async throws {
        await beforeSave(tokens)
        try await file.save(tokens)
    }

    func clear() async throws { try await file.clear() }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws { try await file.withLock(body) }

    func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        try await beforeWrite()
        try await file.withWriteLock(body)
    }
}
