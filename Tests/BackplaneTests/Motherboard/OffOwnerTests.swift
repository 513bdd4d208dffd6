import Backplane
import TestSupport
import Testing

#if DEBUG && compiler(>=6.3) && (os(macOS) || os(Linux))
    /// In debug builds, every entry point traps off the owner with a message, even a read-only
    /// call.
    ///
    /// The entry points are the list of ``Door``, which holds every public member.
    // Serialized, because each test starts a process of its own.
    @Suite(.serialized)
    struct OffOwnerTests {
        @Test(.rule("B61", "B80"), arguments: Door.all.indices)
        func `a member that is used outside the actor traps with a message`(index: Int) async throws {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { [index = index as Int] in
                await Elsewhere().stray(into: Door.all[index])
            }
            let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(
                words.contains("A motherboard was used off the actor it belongs to."),
                "\(Door.all[index]): \(words)"
            )
        }

        @Test(.rule("B61")) func `a motherboard traps outside its actor even before its first use`() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let owner = Elsewhere()
                Motherboard(owner: owner).probe(.first)
                withExtendedLifetime(owner) {}
            }
            let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(words.contains("A motherboard was used off the actor it belongs to."), "\(words)")
        }
    }

    private actor Elsewhere {
        func stray(into door: Door) async {
            let motherboard = Motherboard()
            motherboard.probe(.second)
            motherboard.registerLink("second", to: .second) { _ in 3 }
            let activation = motherboard.activate(.second, with: 0)
            let link = motherboard.open("/second")
            let registrations = (
                motherboard.registerFlow(from: .second) { _, _ in }, motherboard.contribute(to: .numbers) { 1 },
                motherboard.observe { _ in }
            )
            motherboard.probe(.first) { board, _ in
                let bus = Bus<Int>(for: board.slot)
                bus.connect(board) { _, _ in }
                let keys = Keys(
                    slot: board.slot,
                    bus: bus,
                    motherboard: { motherboard },
                    activation: { activation },
                    link: { link }
                )
                keys.registrations = registrations
                switch door.use {
                case .call(let use):
                    // Swift 6.2 and 6.3 run a closure with a capture list off its actor
                    // (swiftlang/swift#87097). This is the only way to get there without unsafe
                    // code.
                    board.task { [keys] in _ = use(keys) }
                case .wait(let use):
                    // Without an isolation, the call leaves the actor.
                    board.task { _ = await use(keys, nil) }
                }
            }
            motherboard.activate(.first, with: 0)
            // The task has time to trap. If nothing traps, the process ends normally and the test
            // fails.
            for _ in 0..<100_000 { await Task.yield() }
            withExtendedLifetime(activation) {}
        }
    }
#endif
