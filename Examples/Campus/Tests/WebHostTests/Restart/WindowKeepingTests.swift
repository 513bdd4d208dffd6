import Backplane
import Logging
import Screens
import Testing

@testable import WebHost

/// Tests of when a window is stored, without a host.
@Suite(.timeLimit(.minutes(5)))
struct WindowKeepingTests {
    private enum Quiet: BoardContract {}

    private let records: AsyncStream<WindowRecord>
    private let record: AsyncStream<WindowRecord>.Continuation

    init() {
        (records, record) = AsyncStream.makeStream()
    }

    /// Creates a window with a board that shows no screen.
    private func window(from old: WindowRecord? = nil) throws -> Window {
        let keeping = WindowKeeping(
            session: SessionID(rawValue: "session"),
            isScripted: true,
            logger: TestHost.silent
        ) { [record] in record.yield($0) }
        return Window(
            id: WindowID(secret: .random()),
            renderer: try Renderer(name: "Toy", templates: [:], layout: "", logger: TestHost.silent),
            keeping: keeping,
            record: old
        ) { motherboard, _ in
            motherboard.register(BoardID<Quiet>("quiet")) { slot in ClosureBoard(slot: slot) {} }
            motherboard.registerLink("quiet", to: BoardID<Quiet>("quiet"))
        }
    }

    @Test func `a change on the motherboard is stored without a new page and without a screen`() async throws {
        let window = try window()
        _ = await window.pageState()
        _ = await window.open("/quiet")
        for await record in records where !record.boards.ids.isEmpty {
            #expect(record.boards.ids.map(\.name) == ["quiet"])
            break
        }
        await window.end()
    }

    @Test func `a window stores nothing before its first page, because its link may be refused`() async throws {
        let window = try window()
        _ = await window.open("/quiet")
        #expect(await window.storedRecord == nil)
        _ = await window.pageState()
        #expect(await window.storedRecord?.boards.ids.map(\.name) == ["quiet"])
        await window.end()
    }

    @Test func `one task stores the changes that arrive until it ends`() {
        let keeping = WindowKeeping(session: .random(), isScripted: true, logger: TestHost.silent) { _ in }
        let keeper = WindowKeeper(keeping, stored: nil)
        #expect(keeper.noteChange(), "the first change starts a task")
        #expect(keeper.takeChange())
        #expect(!keeper.noteChange(), "the task stores this change, too")
        #expect(keeper.takeChange())
        #expect(!keeper.takeChange(), "the task ends")
        #expect(keeper.noteChange(), "the next change starts another task")
    }

    @Test func `a restoration that has ended does not start again`() async throws {
        let window = try window()
        _ = await window.open("/quiet")
        await window.save()
        let record = try #require(await window.storedRecord)
        let restoration = WindowRestoration(record)
        await window.end()
        let begin: (WindowRecord) -> Task<Bool, Never> = { _ in Task { true } }
        let task = restoration.start(begin)
        #expect(task != nil)
        #expect(restoration.start(begin) == task, "two callers share one restoration")
        restoration.finish()
        restoration.end()
        #expect(restoration.start(begin) == nil)
    }

    @Test func `saving a window before its restoration writes nothing`() async throws {
        let first = try window()
        _ = await first.open("/quiet")
        await first.save()
        var iterator = records.makeAsyncIterator()
        let stored = try #require(await iterator.next())
        await first.end()

        let window = try window(from: stored)
        await window.save()
        #expect(await window.storedRecord == stored)
        await window.end()
        record.finish()
        #expect(await iterator.next() == nil)
    }

    private func sessions(_ store: MemoryStore) throws -> Sessions<Toy> {
        Sessions(
            app: ToyModule.app(probe: Probe()),
            renderer: try Renderer(name: "Toy", templates: [:], layout: "", logger: TestHost.silent),
            configuration: WebHostConfiguration(),
            store: store,
            logger: TestHost.silent,
            security: SecurityLog(logger: TestHost.silent),
            metrics: .none
        )
    }

    /// Makes a window in a new session.
    private func makeWindow(in sessions: Sessions<Toy>) async throws -> (SessionID, Window) {
        struct Refused: Error {}
        let (key, _) = try #require(await sessions.begin())
        guard case .made(let window) = await sessions.makeWindow(in: key, isScripted: false) else { throw Refused() }
        return (key, window)
    }

    @Test func `closing the sessions stores their windows`() async throws {
        let store = MemoryStore()
        let sessions = try sessions(store)
        let (_, made) = try await makeWindow(in: sessions)
        _ = await made.open("/page/a")
        await sessions.close()
        #expect(await store.text.contains("/page/a"))
    }

    @Test func `a record that arrives after the session's end is not stored`() async throws {
        let store = MemoryStore()
        let sessions = try sessions(store)
        let (key, made) = try await makeWindow(in: sessions)
        _ = await made.open("/page/a")
        await made.save()
        let record = try #require(await made.storedRecord)
        #expect(await store.content.count == 2)
        await sessions.end(key)
        await sessions.keep(record, of: made.id)
        #expect(await store.content.isEmpty)
    }
}
