import Backplane
import BackplaneNavigation
import BackplaneTesting
import Screens
import Testing

@testable import WebHost

/// Tests of the preparation of a window before its first link, and of the bar.
@Suite(.timeLimit(.minutes(5)))
struct WindowPreparationTests {
    private let gate = AsyncLatch()
    private let clock = ManualClock()

    private func makeWindow(record: WindowRecord? = nil, behind gate: AsyncLatch? = nil) throws -> Window {
        let gate = gate ?? self.gate
        return Window(
            id: WindowID(secret: .random()),
            renderer: try Renderer(name: "Toy", templates: [:], layout: "{{{main}}}", logger: TestHost.silent),
            keeping: WindowKeeping(session: .random(), isScripted: true, logger: TestHost.silent) { _ in },
            record: record,
            prepare: { motherboard in
                await gate.wait()
                motherboard.contribute(to: .barEntries) { BarEntry("Prepared & ready", path: "/here") }
            },
            assemble: { motherboard, navigator in
                motherboard.register(.secret) { slot in
                    ClosureBoard(slot: slot) {
                        let isPrepared = !slot.inner.contributions(to: .barEntries).isEmpty
                        navigator.push(PageScreen(path: isPrepared ? "/here" : "/early"))
                    }
                }
                motherboard.registerLink("here", to: .secret)
            }
        )
    }

    /// Returns the record of a window that has shown a page and has ended.
    private func storedWindow() async throws -> WindowRecord {
        let window = try makeWindow()
        gate.open()
        await window.prepare(within: .seconds(1), on: clock)
        _ = await window.open("/here")
        await window.save()
        let record = try #require(await window.storedRecord)
        await window.end()
        return record
    }

    @Test func `a window waits until the app has prepared it`() async throws {
        let window = try makeWindow()
        let preparing = Task { await window.prepare(within: .seconds(1), on: clock) }
        await gate.arrivals(atLeast: 1)
        await clock.sleepers(atLeast: 1)
        gate.open()
        await preparing.value
        #expect(await window.open("/here") == .shown)
        #expect(await window.pageState().path == "/here")
    }

    @Test func `a window waits for its preparation until a time limit`() async throws {
        let window = try makeWindow()
        let preparing = Task { await window.prepare(within: .seconds(1), on: clock) }
        await gate.arrivals(atLeast: 1)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await preparing.value
        #expect(await window.open("/here") == .shown)
        #expect(await window.pageState().path == "/early")
        gate.open()
    }

    @Test func `a restored window is prepared before its boards are restored`() async throws {
        let record = try await storedWindow()
        let returned = try makeWindow(record: record)
        #expect(await returned.restore(within: .seconds(1), on: clock))
        #expect(await returned.pageState().path == "/here")
        await returned.end()
    }

    @Test func `a restored window waits for its preparation, although that takes longer than the limit`() async throws {
        let record = try await storedWindow()
        let late = AsyncLatch()
        let returned = try makeWindow(record: record, behind: late)
        let restoring = Task { await returned.restore(within: .zero, on: ContinuousClock()) }
        await late.arrivals(atLeast: 1)
        // A window that does not wait has its boards back in this time.
        for _ in 0..<1000 { await Task.yield() }
        late.open()
        #expect(await restoring.value)
        #expect(await returned.pageState().path == "/here", "and not without the app's preparation")
        await returned.end()
    }

    @Test func `a window that ends while it is being prepared keeps nobody waiting`() async throws {
        let record = try await storedWindow()
        let closed = AsyncLatch()
        let returned = try makeWindow(record: record, behind: closed)
        let restoring = Task { await returned.restore(within: .zero, on: ContinuousClock()) }
        await closed.arrivals(atLeast: 1)
        await returned.end()
        #expect(await !restoring.value)
        closed.open()
    }

    @Test func `the bar shows contributed entries with escaped titles`() async throws {
        let window = try makeWindow()
        _ = await window.open("/here")
        let state = await window.pageState()
        #expect(state.bar.isEmpty)
        gate.open()
        await window.prepare(within: .seconds(1), on: clock)
        while try await window.changes(since: state.version).events.isEmpty { await Task.yield() }
        let events = try await window.changes(since: state.version).events
        #expect(events.map(\.name) == ["section"])
        let bar = await window.pageState().bar
        #expect(bar.contains("Prepared &amp; ready"))
        #expect(await window.bar().contains("Prepared &amp; ready"), "also for a page without a screen")
        await window.end()
    }
}
