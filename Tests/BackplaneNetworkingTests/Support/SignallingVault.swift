import BackplaneTesting

@testable import BackplaneNetworking

/// A vault that a test can wait on, hold, and make fail.
final class SignallingVault: TokenVault {
    struct Failure: Error {}

    /// The tokens that came to be kept.
    let saved = Watched<[NetworkTokens]>([])
    /// Those that were kept again with a note: that a refresh of them has begun.
    let notes = Watched<[NetworkTokens]>([])
    /// How many refreshes have been carried out to the end, whatever came of them.
    let refreshes = Watched(0)
    let clears = Watched(0)
    private let kept: Watched<NetworkTokens?>
    private let loads = Watched(0)
    private let loadGate: AsyncLatch?
    private let noteGate: AsyncLatch?
    private let saveGate: AsyncLatch?
    private let clearGate: AsyncLatch?
    private let fails: Bool

    init(
        _ tokens: NetworkTokens? = nil,
        loadGate: AsyncLatch? = nil,
        noteGate: AsyncLatch? = nil,
        saveGate: AsyncLatch? = nil,
        clearGate: AsyncLatch? = nil,
        fails: Bool = false
    ) {
        kept = Watched(tokens)
        self.loadGate = loadGate
        self.noteGate = noteGate
        self.saveGate = saveGate
        self.clearGate = clearGate
        self.fails = fails
    }

    func load() async -> NetworkTokens? {
        // A session looks into its vault when it is made.
        let isFirst = loads.update { loads in
            loads += 1
            return loads == 1
        }
        if !isFirst { await loadGate?.wait() }
        return kept.value
    }

    func save(_ tokens: NetworkTokens) async throws {
        let isNote = tokens.history?.isBeingRefreshed == true
        await (isNote ? noteGate : saveGate)?.wait()
        if fails { throw Failure() }
        kept.update { $0 = tokens }
        (isNote ? notes : saved).update { $0.append(tokens) }
    }

    func clear() async throws {
        await clearGate?.wait()
        if fails { throw Failure() }
        kept.update { $0 = nil }
        clears.update { $0 += 1 }
    }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await body()
        refreshes.update { $0 += 1 }
    }
}
