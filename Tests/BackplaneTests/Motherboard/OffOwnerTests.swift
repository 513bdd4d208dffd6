import Backplane
import Foundation
import Testing

#if DEBUG
    /// In debug builds, every entry point traps off the owner with a message, even a read-only
    /// call.
    // Serialized, because each test starts a process of its own.
    @Suite(.serialized)
    struct OffOwnerTests {
        @Test(arguments: uses.indices)
        func `a motherboard that is used off its actor traps with a message`(index: Int) async throws {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { [index = index as Int] in
                let owner = Elsewhere()
                uses[index](Motherboard(owner: owner))
                withExtendedLifetime(owner) {}
            }
            try expectSentence(in: result)
        }

        @Test(arguments: slotUses.indices)
        func `a slot that is used off its actor traps with a message`(index: Int) async throws {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { [index = index as Int] in
                await Elsewhere().stray(into: index)
            }
            try expectSentence(in: result)
        }

        private func expectSentence(in result: ExitTest.Result?) throws {
            let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(words.contains("A motherboard was used off the actor it belongs to."), "\(words)")
        }
    }

    private actor Elsewhere {
        func stray(into index: Int) async {
            let motherboard = Motherboard()
            let use = slotUses[index]
            motherboard.probe(.first) { board, _ in
                // Swift 6.2 and 6.3 run a closure with a capture list off its actor
                // (swiftlang/swift#87097). This is the only way to get there without unsafe code.
                board.task { [slot = board.slot] in use(slot) }
            }
            let activation = motherboard.activate(.first, with: 0)
            // The task has time to trap. If nothing traps, the process ends normally and the test
            // fails.
            for _ in 0..<100_000 { await Task.yield() }
            withExtendedLifetime(activation) {}
        }
    }

    private let uses: [@Sendable (Motherboard) -> Void] = [
        { $0.register(.first) { ProbeBoard(slot: $0) } },
        { $0.registerTask(.figures) { input, _ in input } },
        { $0.registerFlow(from: .first) { _, _ in } },
        { $0.registerFlow(from: .first, to: .second) { $0 } },
        { $0.registerFlowSteps(.first ->>> .second) },
        { $0.registerCombinedFlow(.first, .second) { _, _, _ in } },
        { $0.registerCompletionFlow(.first) { _, _ in } },
        { $0.registerGeneralFlow { (_: Wish, _) in } },
        { $0.registerDenialFlow { _, _ in } },
        { $0.registerFallback { _, _ in } },
        { $0.gate(.first, by: .doorkeeper) { _ in .open } },
        { $0.gate(.first, by: .figures, asking: { $0 }, verdict: { _ in .open }) },
        { $0.gateAll(by: .doorkeeper) { _ in .open } },
        { $0.install(Nothing()) },
        { $0.allowLinks(schemes: ["app"]) },
        { $0.registerLink("first", to: .doorkeeper) },
        { $0.open("/first") },
        { _ = $0.parents(of: "/first") },
        { $0.activate(.first, with: 1) },
        { $0.send(1, to: .first) },
        { $0.sendAction(Wish.returnHome) },
        { $0.complete(.first) },
        { $0.complete() },
        { $0.completeAllBoards() },
        { _ = $0.isLive(.first) },
        { _ = $0.liveCount(of: .first) },
        { $0.observe { _ in } },
        { $0.observe(.first) { _ in } },
        { $0.recordEvents { _ in } },
        { _ = $0.snapshot() },
        { $0.restore(emptySnapshot) },
        { _ = $0.graph() },
        { $0.replay(EventLog()) },
        { $0.pair(with: Window()) },
    ]

    private let slotUses: [@Sendable (Slot<Numbers>) -> Void] = [
        { $0.send(1) },
        { _ = $0.isLive },
        { _ = $0.isLive(.second) },
        { _ = $0.inner },
        { $0.sendAction(Wish.returnHome) },
        { $0.nextToBoard(.second, with: 1) },
        { $0.send(1, to: .second) },
        { $0.complete() },
        { $0.complete(sending: 1) },
        { $0.task {} },
        { $0.keep(Journal(), for: Window()) },
        { $0.pair(with: Window()) },
        { Bus<Int>(for: $0).send(1) },
    ]

    private let emptySnapshot = {
        do {
            return try JSONDecoder().decode(BoardSnapshot.self, from: Data(#"{"boards":[]}"#.utf8))
        } catch {
            preconditionFailure("The JSON of an empty snapshot cannot be decoded: \(error)")
        }
    }()

    private struct Nothing: BoardModule {
        func register(on motherboard: Motherboard) {}
    }

    private final class Window: LifetimeOwner {
        let lifetime = Lifetime()
    }
#endif
