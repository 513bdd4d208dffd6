import Backplane
import BackplaneTesting
import Screens
import Testing

@testable import WebHost

/// A window is an actor, and work of its boards keeps it alive: ending the window has to end that.
@Suite(.timeLimit(.minutes(5)))
struct WindowLifetimeTests {
    /// The signal that the work of the window's board waits for, and never gets.
    private let never = AsyncLatch()

    private func makeWindow(isKept: Bool, record: WindowRecord? = nil) throws -> Window {
        let keeping = WindowKeeping(session: .random(), isScripted: true, logger: TestHost.silent) { _ in }
        return Window(
            id: WindowID(secret: .random()),
            renderer: try Renderer(name: "Toy", templates: [:], layout: "{{{main}}}", logger: TestHost.silent),
            keeping: isKept ? keeping : nil,
            record: record
        ) { [never] motherboard, navigation in
            motherboard.register(.secret) { slot in
                ClosureBoard(slot: slot) {
                    navigation.push(PageScreen(path: "/"))
                    slot.task { try await never.waitUnlessCancelled() }
                }
            }
            motherboard.registerLink("", to: .secret)
        }
    }

    @Test(arguments: [false, true])
    func `a window that has ended goes, though a board of it would work for ever`(isKept: Bool) async throws {
        weak var left: Window?
        do {
            let window = try makeWindow(isKept: isKept)
            left = window
            #expect(await window.open("/") == .shown)
            _ = await window.snapshot()
            await never.arrivals(atLeast: 1)
            await window.end()
        }
        while left != nil, !Task.isCancelled { await Task.yield() }
        #expect(left == nil)
    }

    @Test func `a window that ends before it has come back does not come back, and goes`() async throws {
        let window = try makeWindow(isKept: true)
        _ = await window.open("/")
        await window.save()
        let record = try #require(await window.storedRecord)
        await window.end()
        await never.arrivals(atLeast: 1)
        weak var left: Window?
        do {
            let returned = try makeWindow(isKept: true, record: record)
            left = returned
            await returned.end()
            #expect(await !returned.restore(within: .zero, on: ManualClock()))
        }
        while left != nil, !Task.isCancelled { await Task.yield() }
        #expect(left == nil)
    }
}
