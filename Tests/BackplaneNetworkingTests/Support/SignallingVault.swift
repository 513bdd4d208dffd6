import BackplaneTesting

@testable import BackplaneNetworking

/// A vault that a test can observe, block and make fail.
final class SignallingVault: TokenVault {
    struct Failure: Error {}

    /// The new tokens that were saved.
    let saved = Watched<[NetworkTokens]>([])
    /// The tokens that were saved again with a note that their refresh has begun.
    let notes = Watched<[NetworkTokens]>([])
    /// The number of finished refreshes, with any outcome.
    let refreshes = Watched(0)
    let clears = Watched(0)
    private let kept: Watched<NetworkTokens?>
    private let loads = Watched(0)
    private let loadLatch: AsyncLatch?
    private let noteLatch: AsyncLatch?
    private let saveLatch: AsyncLatch?
    private let clearLatch: AsyncLatch?
    private let fails: Bool

    init(
        _ tokens: NetworkTokens? = nil,
        loadLatch: AsyncLatch? = nil,
        noteLatch: AsyncLatch? = nil,
        saveLatch: AsyncLatch? = nil,
        clearLatch: AsyncLatch? = nil,
        fails: Bool = false
    ) {
        kept = Watched(tokens)
        self.loadLatch = loadLatch
        self.noteLatch = noteLatch
        self.saveLatch = saveLatch
        self.clearLatch = clearLatch
        self.fails = fails
    }

    func load() async -> NetworkTokens? {
        // A session reads its vault once when it is created.
        let isFirst = loads.update { loads in
            loads += 1
            return loads == 1
        }
        if !isFirst { await loadLatch?.wait() }
        return kept.value
    }

    func save(_ tokens: NetworkTokens) async throws {
        let isNote = tokens.history?.isBeingRefreshed == true
        await (isNote ? noteLatch : saveLatch)?.wait()
        if fails { throw Failure() }
        kept.update { $0 = tokens }
        (isNote ? notes : saved).update { $0.append(tokens) }
    }

    func clear() async throws {
        await clearLatch?.wait()
        if fails { throw Failure() }
        kept.update { $0 = nil }
        clears.update { $0 += 1 }
    }

    func withLock(_ body: @escaping @Sendable () async -> Void) async throws {
        await body()
        refreshes.update { $0 += 1 }
    }
}
