public import Backplane

/// The result of replaying an `EventLog`: see ``Backplane/Motherboard/replay(_:supplying:)``.
public struct EventReplay: Sendable, CustomStringConvertible {
    package struct Omission: Sendable {
        package let entry: EventLog.Entry
        /// The reason for the omission, in a few words.
        package let reason: String
    }

    /// The number of entries that were repeated; boards or code outside caused these entries.
    public fileprivate(set) var performed = 0
    package fileprivate(set) var omissions: [Omission] = []
    /// The entries of the log that did not happen now, because flows and gates no longer cause
    /// them.
    package fileprivate(set) var missing: [EventLog.Entry] = []
    /// The events that happened now but are not in the log.
    package fileprivate(set) var unexpected: [EventLog.Entry] = []

    /// The entries that could not be repeated, and the entries that follow from them.
    public var omitted: [EventLog.Entry] { omissions.map(\.entry) }

    /// One line for each difference: `−` marks an entry that no longer happens, and `+` marks a new
    /// event.
    public var differences: [String] { missing.map { "− \($0)" } + unexpected.map { "+ \($0)" } }

    /// Whether everything was repeated, and flows and gates had the same effects as in the
    /// recording.
    ///
    /// It is `false` if an entry was omitted, because the effects of that entry are unknown. It is
    /// also `false` if nothing was repeated. If you expect omissions, check ``differences``.
    public var isFaithful: Bool { performed > 0 && omissions.isEmpty && missing.isEmpty && unexpected.isEmpty }

    /// The numbers, then one line for each difference and each omission, with its reason.
    public var description: String {
        let lines = differences + omissions.map { "omitted \($0.entry): \($0.reason)" }
        return (["\(performed) repeated, \(omissions.count) omitted"] + lines).joined(separator: "\n")
    }
}

extension Motherboard {
    /// Repeats the recorded actions of boards and of code outside, and compares the effects of
    /// flows and gates.
    ///
    /// Install the modules with your flows and gates on a new motherboard, and register no boards.
    /// The boards that the log names get stand-ins. A stand-in does only what the log says. If you
    /// register a real board, its own actions happen twice.
    ///
    /// ```swift
    /// let motherboard = Motherboard()
    /// motherboard.install(AppFlows())
    /// let replay = motherboard.replay(try EventLog(jsonLines: text))
    /// #expect(replay.isFaithful, "\(replay)")
    /// ```
    ///
    /// Flows inside a scope are compared, too. To install them there, register a board for the
    /// scope that only installs the flows.
    ///
    /// Supply values that were withheld or are not `Codable`, for example an account. A value takes
    /// the place of each input, output or command of its contract that was not written:
    ///
    /// ```swift
    /// let replay = motherboard.replay(log, supplying: TypedBoardEvent<Login>.sent(account))
    /// ```
    ///
    /// These entries are in ``EventReplay/omitted``:
    ///
    /// - Entries whose value was not written and not supplied.
    /// - Entries of boards that no flow, gate or registration names here, because the types of
    ///   their inputs and outputs are unknown.
    /// - Entries that follow from an omitted entry.
    ///
    /// Tasks, leaks and dropped outputs are not compared. The order of the effects of one cause is
    /// not compared either. The replay does not wait for recorded times; everything is done before
    /// this returns.
    ///
    /// - Parameters:
    ///   - log: the recording of a root motherboard.
    ///   - values: the inputs, outputs and commands for entries whose value was not written. An
    ///     entry without a value is omitted.
    /// - Returns: the actions that were repeated, the omissions and the differences.
    @discardableResult
    public func replay<each Contract>(
        _ log: EventLog,
        supplying values: repeat TypedBoardEvent<each Contract>
    ) -> EventReplay {
        var supplies: [Supply] = []
        for value in repeat each values { supplies.append(Supply(value)) }
        return Replayer(motherboard: self, supplies: supplies).play(log)
    }
}

/// A value that the test supplies for those of one contract that the log could not write.
private struct Supply: ReadablePayload {
    let kinds: [BoardEvent.Kind]
    let isOf: (ReplayedEntry) -> Bool
    private let value: Any

    init<Contract>(_ event: TypedBoardEvent<Contract>) {
        (kinds, value) =
            switch event {
            case .activated(let input): ([.activated, .waiting], input)
            case .sent(let output): ([.output, .unhandledOutput], output)
            case .received(let command): ([.command], command)
            // How a board ended is always written.
            case .completed: ([], ())
            }
        isOf = { $0.isBoard(of: Contract.self) }
    }

    func read<Value>(as type: Value.Type) -> Value? { value as? Value }
}

/// A single replay in progress.
private final class Replayer {
    private let motherboard: Motherboard
    private let supplies: [Supply]
    private var report = EventReplay()
    /// An event of the replay, with the value that was sent.
    private struct Seen {
        let entry: EventLog.Entry
        let liveBoard: ReplayedBoard?
        let value: Any
    }

    /// The boards created now, by their recorded numbers.
    private var liveBoards: [UInt64: ReplayedBoard] = [:]
    /// The events that happened now and were not matched yet.
    private var seen: [Seen] = []
    /// The entries of the log that were processed but did not happen yet.
    private var awaited: [EventLog.Entry] = []
    private var entries: [EventLog.Entry] = []
    /// The listeners that await the results of private boards.
    private var listeners: [AnyObject] = []

    init(motherboard: Motherboard, supplies: [Supply]) {
        self.motherboard = motherboard
        self.supplies = supplies
    }

    private static let compared: Set<BoardEvent.Kind> = [
        .activated, .waiting, .output, .unhandledOutput, .command, .action, .unhandledAction, .completed, .gateOpened,
        .gateDenied,
    ]

    func play(_ log: EventLog) -> EventReplay {
        let entries = log.entries.filter { Self.compared.contains($0.kind) }
        self.entries = entries
        registerStandIns(on: motherboard)
        let beginning = ContinuousClock.now
        let token = motherboard.observeReplay { [self] event, liveBoard, payload in
            guard Self.compared.contains(event.kind) else { return }
            let entry = EventLog.Entry(replaying: event, at: beginning.duration(to: event.time), of: payload)
            seen.append(Seen(entry: entry, liveBoard: liveBoard, value: payload))
        }
        var isOmitting = false
        for entry in entries where !(entry.isDerived && take(entry)) {
            do throws(Obstacle) {
                if !entry.isDerived {
                    isOmitting = true
                    try perform(entry)
                    isOmitting = false
                    report.performed += 1
                } else if isOmitting {
                    throw Obstacle(reason: "it follows from an omitted entry")
                }
                awaited.append(entry)
                awaited.removeAll { take($0) }
            } catch {
                report.omissions.append(EventReplay.Omission(entry: entry, reason: error.reason))
            }
        }
        motherboard.remove(token)
        report.missing = awaited
        report.unexpected = seen.map(\.entry)
        return report
    }

    // MARK: Stand-ins

    private func registerStandIns(on motherboard: Motherboard) {
        for name in Set(entries.compactMap(\.board?.name)) {
            guard let boardEntry = motherboard.replayedEntry(named: name), !boardEntry.isRegistered else { continue }
            // A board that is elsewhere gets its stand-in there, not inside this scope.
            if motherboard !== self.motherboard, boardEntry.isElsewhere { continue }
            boardEntry.registerStandIn(reuse: Self.reuse(of: name, in: entries))
        }
    }

    /// Returns the reuse of a board: `perActivation` if several boards of the ID were live at once.
    private static func reuse(of name: String, in entries: [EventLog.Entry]) -> BoardReuse {
        var live: [[BoardInstance]: Set<UInt64>] = [:]
        for entry in entries {
            guard let instance = entry.instance, instance.id.name == name, !entry.isPrivate else { continue }
            if entry.kind == .activated {
                live[entry.enclosing, default: []].insert(instance.number)
                if live[entry.enclosing, default: []].count > 1 { return .perActivation }
            } else if entry.kind == .completed {
                live[entry.enclosing]?.remove(instance.number)
            }
        }
        return .shared
    }

    // MARK: Doing again

    private struct Obstacle: Error {
        let reason: String
    }

    private func perform(_ entry: EventLog.Entry) throws(Obstacle) {
        let payload = try payload(of: entry)
        let unreadable = Obstacle(reason: "the recorded value cannot be decoded as the current type")
        switch entry.kind {
        case .activated, .waiting:
            let boardEntry = try boardEntry(of: entry)
            guard boardEntry.isRegistered else { throw Obstacle(reason: "it is not registered here") }
            guard boardEntry.activate(reading: payload, isPrivate: entry.isPrivate, adding: &listeners) else {
                throw unreadable
            }
        case .output, .unhandledOutput:
            if try !liveBoard(of: entry).send(reading: payload) { throw unreadable }
        case .command:
            if entry.instance != nil {
                if try !liveBoard(of: entry).receive(reading: payload) { throw unreadable }
            } else {
                if try !boardEntry(of: entry).receive(reading: payload) { throw unreadable }
            }
        case .action, .unhandledAction:
            let sender = entry.instance == nil ? nil : try liveBoard(of: entry)
            guard let sent = try motherboard(of: entry).sendAction(entry.action ?? "", reading: payload, from: sender)
            else {
                throw Obstacle(reason: "no flow here handles such an action")
            }
            if !sent { throw unreadable }
        default:
            try liveBoard(of: entry).complete(completion(of: entry))
        }
    }

    /// Returns the payload of an entry, or the value that was supplied for it.
    private func payload(of entry: EventLog.Entry) throws(Obstacle) -> any ReadablePayload {
        guard let reason = entry.unwritten else { return entry.value }
        for supply in supplies where supply.kinds.contains(entry.kind) {
            if supply.isOf(try boardEntry(of: entry)) { return supply }
        }
        throw Obstacle(reason: reason)
    }

    private func completion(of entry: EventLog.Entry) -> Completion {
        switch entry.text {
        case "done": .done
        case "cancelled": .cancelled
        default: .failed(ReplayedFailure())
        }
    }

    private func motherboard(of entry: EventLog.Entry) throws(Obstacle) -> Motherboard {
        guard let host = entry.enclosing.last else { return motherboard }
        guard let liveBoard = liveBoards[host.number] else { throw Obstacle(reason: "no \(host) encloses it") }
        return liveBoard.motherboard
    }

    private func boardEntry(of entry: EventLog.Entry) throws(Obstacle) -> ReplayedEntry {
        guard let name = entry.board?.name, let boardEntry = try motherboard(of: entry).replayedEntry(named: name)
        else {
            throw Obstacle(reason: "no flow, gate or registration here names the board")
        }
        return boardEntry
    }

    private func liveBoard(of entry: EventLog.Entry) throws(Obstacle) -> ReplayedBoard {
        guard let instance = entry.instance, let liveBoard = liveBoards[instance.number] else {
            throw Obstacle(reason: "it was not activated here")
        }
        guard liveBoard.isLive else { throw Obstacle(reason: "the board has ended already") }
        return liveBoard
    }

    // MARK: Comparing

    /// Matches an entry with an event that happened now, and removes that event from `seen`.
    private func take(_ entry: EventLog.Entry) -> Bool {
        guard let index = seen.firstIndex(where: { isSame(entry, $0) }) else { return false }
        let liveBoard = seen.remove(at: index).liveBoard
        if let number = entry.instance?.number, let liveBoard {
            liveBoards[number] = liveBoard
            // Modules inside a scope may name boards that nothing outside names.
            if let inside = liveBoard.insideOfScope { registerStandIns(on: inside) }
        }
        return true
    }

    private func isSame(_ then: EventLog.Entry, _ event: Seen) -> Bool {
        let now = event.entry
        guard then.kind == now.kind, then.board == now.board, then.gate == now.gate, then.action == now.action,
            then.enclosing.map({ liveBoards[$0.number]?.instance }) == now.enclosing.map(Optional.some)
        else { return false }
        if let number = then.instance?.number, let known = liveBoards[number], !known.isSame(as: event.liveBoard) {
            return false
        }
        if then.unwritten != nil { return true }
        if let written = then.text, let happened = now.text {
            // The log contains only the type of an error, so any error matches.
            if written.hasPrefix("failed(") { return happened.hasPrefix("failed(") }
            if written == happened { return true }
        }
        return then.isForm(of: event.value)
    }
}

/// The error of a board that failed in the recording.
private struct ReplayedFailure: Error {}
