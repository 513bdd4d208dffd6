import Backplane
import BackplaneNavigation
import BackplaneTesting
import Screens
import Testing

@testable import WebHost

/// Tests that an ended window is released although tasks of its boards would keep it alive.
@Suite(.timeLimit(.minutes(5)))
struct WindowLifetimeTests {
    /// The latch that the board's task waits for, and that never opens.
    private let never = AsyncLatch()

    private func makeWindow(isKept: Bool, record: WindowRecord? = nil) throws -> Window {
        let keeping = WindowKeeping(session: .random(), isScripted: true, logger: TestHost.silent) { _ in }
        return Window(
            id: WindowID(secret: .random()),
            renderer: try Renderer(name: "Toy", templates: [:], layout: "{{{main}}}", logger: TestHost.silent),
            keeping: isKept ? keeping : nil,
            record: record
        ) { [never] motherboard, navigator in
            motherboard.register(.secret) { slot in
                ClosureBoard(slot: slot) {
                    navigator.push(PageScreen(path: "/"))
                    slot.task { try await never.waitUnlessCancelled() }
                }
            }
            motherboard.registerLink("", to: .secret)
        }
    }

    @Test(arguments: [false, true])
    func `an ended window is released, even if a board's task never finishes`(isKept: Bool) async throws {
        weak var left: Window?
        do {
            let window = try makeWindow(isKept: isKept)
            left = window
            #expect(await window.open("/") == .shown)
            _ = await window.pageState()
            await never.arrivals(atLeast: 1)
            await window.end()
        }
        while left != nil, !Task.isCancelled { await Task.yield() }
        #expect(left == nil)
    }

    @Test func `a window that ends before its restoration is not restored and is released`() async throws {
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
