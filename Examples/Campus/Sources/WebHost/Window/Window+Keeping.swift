import Backplane
import Logging
import Screens

/// How a window is to be kept beyond the process.
struct WindowKeeping: Sendable {
    let session: SessionID
    /// Whether its page is known to run the script.
    var isScripted: Bool
    let logger: Logger
    /// Stores a record, and returns when it is.
    let keep: @Sendable (WindowRecord) async -> Void
}

/// What of a window outlasts the process.
extension Window {
    /// Has the window kept whenever something has changed on its motherboard, behind the turn in which it did.
    func keepUp(with motherboard: Motherboard) {
        guard keeping != nil else { return }
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.change = change
        motherboard.observe { _ in change.yield() }
        Task { [weak self] in
            for await _ in changes { await self?.save() }
        }
    }

    /// Returns when what is live now is stored, which it is before any page is told of it.
    func save() async {
        // One that has yet to come back is stored as it was.
        while !isEnded, record == nil, let keeping, case let present = present(keeping), present != kept {
            await keeping.keep(present)
            kept = present
        }
    }

    private func present(_ keeping: WindowKeeping) -> WindowRecord {
        let boards = assembledMotherboard().snapshot()
        let places = navigation.stack.map { WindowRecord.Place(path: $0.screen.path, isModal: $0.isModal) }
        return WindowRecord(
            session: keeping.session,
            csrf: csrf,
            isScripted: keeping.isScripted,
            screen: UInt32(clamping: page.number),
            path: page.heading.path,
            resumedPath: resumedPath,
            stack: returning ?? (boards.isWaiting ? [] : places),
            boards: boards
        )
    }

    // MARK: Coming back

    /// Shows again what the record has that the window was made of, if it was.
    ///
    /// Returns when there is a screen, or after `limit`: boards may have to ask who is there first. Several may wait; it is done
    /// once.
    ///
    /// - Returns: whether there is anything left of the window.
    func comeBack(within limit: Duration, on clock: any Clock<Duration>) async -> Bool {
        // Its session may have ended while it was asked for: what came back now would never end.
        guard !isEnded else { return false }
        if restoration == nil, let record {
            restoration = Task { await self.restore(record, within: limit, on: clock) }
        }
        return await restoration?.value ?? true
    }

    private func restore(_ record: WindowRecord, within limit: Duration, on clock: any Clock<Duration>) async -> Bool {
        resumedPath = record.resumedPath
        returning = record.stack.isEmpty ? nil : record.stack
        // A page of before the restart has a version that this one must never have.
        let version = Int.random(in: 1..<1 << 48)
        let number = Int(record.screen)
        page = Page(version: version, number: number, path: record.path)
        await prepare(within: limit, on: clock)
        for missing in assembledMotherboard().restore(record.boards) {
            keeping?.logger.notice("Session \(record.session): a window came back without '\(missing)'.")
        }
        self.record = nil
        arrange()
        if hasBoards {
            await wait(while: { $0.isBlank }, within: limit, on: clock)
            arrange()
        }
        // The page may go on with the screen that it shows: what is sent from there is meant for this one.
        if let top = navigation.top, top.path == record.path {
            page = Page(version: version, number: max(0, number - 1), path: top.path)
        }
        track()
        return isEnded || hasBoards || navigation.top != nil
    }

    private var isBlank: Bool { !isEnded && navigation.top == nil }

    private var hasBoards: Bool { !assembledMotherboard().snapshot().boards.isEmpty }

    /// Puts the screens in the order that they had, once nothing waits at a gate any more.
    ///
    /// What was on top and belongs to no board that could be restored is opened by its link.
    func arrange() {
        guard let stack = returning, navigation.top != nil, !assembledMotherboard().snapshot().isWaiting else { return }
        returning = nil
        navigation.arrange(by: stack.map(\.path))
        let top = navigation.stack.last { !$0.isModal }
        if let wanted = stack.last(where: { !$0.isModal }), wanted.path != top?.screen.path { _ = open(wanted.path) }
    }
}
