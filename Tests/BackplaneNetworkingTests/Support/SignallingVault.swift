import BackplaneNetworking
import BackplaneTesting

/// A vault that a test can wait on, hold, and make fail.
final class SignallingVault: TokenVault {
    struct Failure: Error {}

    let saved = Watched<[NetworkTokens]>([])
    let clears = Watched(0)
    private let kept: Watched<NetworkTokens?>
    private let saveGate: AsyncGate?
    private let clearGate: AsyncGate?
    private let fails: Bool

    init(
        _ tokens: NetworkTokens? = nil,
        saveGate: AsyncGate? = nil,
        clearGate: AsyncGate? = nil,
        fails: Bool = false
    ) {
        kept = Watched(tokens)
        self.saveGate = saveGate
        self.clearGate = clearGate
        self.fails = fails
    }

    func load() async -> NetworkTokens? { kept.value }

    func save(_ tokens: NetworkTokens) async throws {
        await saveGate?.wait()
        if fails { throw Failure() }
        kept.update { $0 = tokens }
        saved.update { $0.append(tokens) }
    }

    func clear() async throws {
        await clearGate?.wait()
        if fails { throw Failure() }
        kept.update { $0 = nil }
        clears.update { $0 += 1 }
    }
}
