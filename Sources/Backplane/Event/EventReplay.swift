/// The result of replaying an ``EventLog``: see ``Motherboard/replay(_:supplying:)``.
public struct EventReplay: Sendable, CustomStringConvertible {
    /// Something that could not be done again, or that followed from such a thing.
    public struct Omission: Hashable, Sendable, CustomStringConvertible {
        /// The entry.
        public let entry: EventLog.Entry
        /// Why, in a few words.
        public let reason: String

        /// The entry's line and the reason.
        public var description: String { "\(entry): \(reason)" }
    }

    /// How many entries, of what boards or somebody outside did, were done again.
    public internal(set) var performed = 0
    /// What could not be done again, and what followed from it.
    public internal(set) var omissions: [Omission] = []
    /// What happened when the log was recorded and did not happen now: what flows and gates no longer bring about.
    public internal(set) var missing: [EventLog.Entry] = []
    /// What happened now and did not happen when the log was recorded.
    public internal(set) var unexpected: [EventLog.Entry] = []

    /// Whether everything was done again, and flows and gates brought about what they did then, no less and no more.
    ///
    /// False where something was omitted, since nobody knows what flows and gates would have made of that, and where nothing
    /// was done at all. Where omissions are to be expected look at ``missing`` and ``unexpected``.
    public var isFaithful: Bool { performed > 0 && omissions.isEmpty && missing.isEmpty && unexpected.isEmpty }

    /// The numbers, then a line for each difference and each omission.
    public var description: String {
        let lines =
            missing.map { "− \($0)" } + unexpected.map { "+ \($0)" } + omissions.map { "omitted \($0)" }
        return (["\(performed) done again, \(omissions.count) omitted"] + lines).joined(separator: "\n")
    }
}

extension Motherboard {
    /// Does again what boards, and whoever used the motherboard, did when a log was recorded, and compares what flows
    /// and gates make of it.
    ///
    /// For tests. Install the modules that draw flows and gates on a fresh motherboard, and register no boards. Boards
    /// that the log names get stand-ins that do what the log says and nothing by themselves. A board that you do
    /// register takes part as itself, so what it does by itself happens twice.
    ///
    /// ```swift
    /// let motherboard = Motherboard()
    /// motherboard.install(AppFlows())
    /// let replay = motherboard.replay(try EventLog(jsonLines: text))
    /// #expect(replay.isFaithful, "\(replay)")
    /// ```
    ///
    /// Flows inside a scope are compared, too. Install them there: register the scope's board, in a form that does nothing
    /// but that.
    ///
    /// Supply values that were withheld or are not `Codable`, for example an account:
    ///
    /// ```swift
    /// let replay = motherboard.replay(log, supplying: .output(account, of: .login))
    /// ```
    ///
    /// Entries without a value are in ``EventReplay/omissions``. So are entries of boards that no flow, gate or registration
    /// names here, because the types of their inputs and outputs are unknown, and all that followed from an omitted entry. Tasks, leaks and dropped outputs are not compared, nor is the order of what one thing
    /// brought about. Time is not waited for; all is done before this returns.
    ///
    /// - Parameters:
    ///   - log: what was recorded on a root motherboard.
    ///   - values: values that the log could not write.
    /// - Returns: what was done again, what was omitted, and what was different.
    @discardableResult
    public func replay(_ log: EventLog, supplying values: ReplayValue...) -> EventReplay {
        Replayer(motherboard: self, values: values).play(log)
    }
}

/// One replay under way.
private final class Replayer {
    private let motherboard: Motherboard
    private let values: [ReplayValue]
    private var report = EventReplay()
    /// The boards that were made now, by the numbers that they had then.
    private var liveBoards: [UInt64: AnyLiveBoard] = [:]
    /// What has happened now and was not looked for yet.
    private var seen: [(entry: EventLog.Entry, liveBoard: AnyLiveBoard?)] = []
    /// What is derived, happened then, and has not been seen yet.
    private var awaited: [EventLog.Entry] = []
    private var entries: [EventLog.Entry] = []
    /// Whoever awaits the results of private boards.
    private var listeners: [AnyObject] = []

    init(motherboard: Motherboard, values: [ReplayValue]) {
        self.motherboard = motherboard
        self.values = values
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
        let token = motherboard.observeLiveBoards { [self] event, liveBoard, payload in
            guard Self.compared.contains(event.kind) else { return }
            let entry = EventLog.Entry(event, at: beginning.duration(to: event.time), of: payload)
            seen.append((entry, liveBoard))
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
                    throw Obstacle(reason: "it follows from what is left out")
                }
                awaited.append(entry)
                awaited.removeAll { take($0) }
            } catch {
                report.omissions.append(EventReplay.Omission(entry: entry, reason: error.reason))
            }
        }
        motherboard.stopObserving(token)
        report.missing = awaited
        report.unexpected = seen.map(\.entry)
        return report
    }

    // MARK: Stand-ins

    private func registerStandIns(on motherboard: Motherboard) {
        for name in Set(entries.compactMap(\.board?.name)) {
            guard let boardEntry = motherboard.entry(named: name), !boardEntry.isRegistered else { continue }
            // Inside a scope, boards that are elsewhere have theirs there.
            if motherboard !== self.motherboard, boardEntry.isElsewhere { continue }
            boardEntry.registerStandIn(reuse: Self.reuse(of: name, in: entries))
        }
    }

    /// Whether several of a board were live at once.
    private static func reuse(of name: String, in entries: [EventLog.Entry]) -> Reuse {
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
        let unreadable = Obstacle(reason: "what was sent cannot be read as what is sent now")
        switch entry.kind {
        case .activated, .waiting:
            let boardEntry = try boardEntry(of: entry)
            guard boardEntry.isRegistered else { throw Obstacle(reason: "it is not registered here") }
            guard let activated = boardEntry.activate(reading: payload, isPrivate: entry.isPrivate) else {
                throw unreadable
            }
            if let listener = activated.listener { listeners.append(listener) }
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
            guard let sent = try motherboard(of: entry).sendAction(entry.action ?? "", payload, from: sender)
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
        guard case .unwritable(let reason) = entry.payload else { return entry.payload }
        guard let value = values.first(where: { $0.stands(for: entry) }) else { throw Obstacle(reason: reason) }
        return value
    }

    private func completion(of entry: EventLog.Entry) -> Completion {
        switch entry.payload {
        case .json(.string("done")): .done
        case .json(.string("cancelled")): .cancelled
        default: .failed(ReplayedFailure())
        }
    }

    private func motherboard(of entry: EventLog.Entry) throws(Obstacle) -> Motherboard {
        guard let host = entry.enclosing.last else { return motherboard }
        guard let liveBoard = liveBoards[host.number] else { throw Obstacle(reason: "there is no \(host) around it") }
        return liveBoard.nestedMotherboard()
    }

    private func boardEntry(of entry: EventLog.Entry) throws(Obstacle) -> AnyBoardEntry {
        guard let name = entry.board?.name, let boardEntry = try motherboard(of: entry).entry(named: name) else {
            throw Obstacle(reason: "no flow, gate or registration here says what it takes")
        }
        return boardEntry
    }

    private func liveBoard(of entry: EventLog.Entry) throws(Obstacle) -> AnyLiveBoard {
        guard let instance = entry.instance, let liveBoard = liveBoards[instance.number] else {
            throw Obstacle(reason: "it was not activated here")
        }
        guard liveBoard.isLive else { throw Obstacle(reason: "the board has ended already") }
        return liveBoard
    }

    // MARK: Comparing

    /// Finds an entry among what has happened now, and takes it from there.
    private func take(_ entry: EventLog.Entry) -> Bool {
        guard let index = seen.firstIndex(where: { isSame(entry, $0.entry, $0.liveBoard) }) else { return false }
        let liveBoard = seen.remove(at: index).liveBoard
        if let number = entry.instance?.number, let liveBoard {
            liveBoards[number] = liveBoard
            // What is installed inside a scope may name boards that nothing outside names.
            if liveBoard.untypedEntry.isScope, let nested = liveBoard.nestedIfAny { registerStandIns(on: nested) }
        }
        return true
    }

    private func isSame(_ then: EventLog.Entry, _ now: EventLog.Entry, _ liveBoard: AnyLiveBoard?) -> Bool {
        guard then.kind == now.kind, then.board == now.board, then.gate == now.gate, then.action == now.action,
            then.enclosing.map({ liveBoards[$0.number]?.instance }) == now.enclosing.map(Optional.some)
        else { return false }
        if let number = then.instance?.number, let known = liveBoards[number], known !== liveBoard { return false }
        if case .unwritable = then.payload { return true }
        if case .json(.string(let text)) = then.payload, text.hasPrefix("failed("),
            case .json(.string(let other)) = now.payload
        {
            // Of an error nothing but its type was written, so another one stands for it.
            return other.hasPrefix("failed(")
        }
        return then.payload == now.payload
    }
}

/// What a board fails with that had failed then.
private struct ReplayedFailure: Error {}
