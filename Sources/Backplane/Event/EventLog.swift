#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What happened on a motherboard, written down: a line of JSON for each event, with what was sent as far as that is
/// `Codable`.
///
/// Made by ``Motherboard/recordEvents(excluding:write:)``. People and tools may read it, and ``Motherboard/replay(_:)`` does in
/// a test what boards did while it was recorded.
///
/// ```json
/// {"board":"course","kind":"activated","number":3,"payload":"abc123","time":0.004}
/// ```
///
/// `time` is in seconds since the recording began, `board` and `number` are the ``BoardInstance``; `inside`, `derived`
/// and `private` are there where they are not empty or false, and `gate` where an activation waits, passes or is denied. Where something was sent and is not written, `unwritten`
/// says why.
///
/// A log contains what boards were activated with and what they sent. Store it as carefully as that, and withhold what
/// nobody should read.
public struct EventLog: Hashable, Sendable, CustomStringConvertible {
    /// The events, in the order in which they happened.
    public var entries: [Entry]

    /// A log of these events.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// The log that was written as `jsonLines`.
    ///
    /// A last line without an end was being written when the writer was stopped; it is left out.
    ///
    /// - Throws: ``EventLogError`` that names the first line that is no entry.
    public init(jsonLines: String) throws(EventLogError) {
        entries = []
        // By bytes: what was sent may have characters that Unicode counts as ends of lines and JSON does not escape.
        let lines = jsonLines.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { $0 != UInt8(ascii: "\r") }) {
            do {
                entries.append(try JSONDecoder().decode(Entry.self, from: Data(line)))
            } catch {
                if index == lines.count - 1 { return }
                throw EventLogError(line: index + 1)
            }
        }
    }

    /// The log as text: a line for each event, each with its end.
    public var jsonLines: String { entries.map { "\($0)\n" }.joined() }

    /// The log as text: see ``jsonLines``.
    public var description: String { jsonLines }

    /// One event of a log.
    ///
    /// Its description is its line.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The time since the recording began.
        public let time: Duration
        /// What sort of thing happened.
        public let kind: BoardEvent.Kind
        /// The board it happened to; nil for an action that no board sent.
        public let board: AnyBoardID?
        /// Which board of that identity; nil where none was made, or where it is about all of them.
        public let instance: BoardInstance?
        /// The boards around it, the outermost first.
        public let enclosing: [BoardInstance]
        /// Whether a flow, a gate or the end of a board around it brought it about: see ``BoardEvent/isDerived``.
        public let isDerived: Bool
        /// Whether the board belongs to one caller who awaits its result.
        public let isPrivate: Bool
        /// The gate it is about, of an activation that waits, passes or is denied.
        public let gate: AnyBoardID?
        /// The name of an action's type; nil of what is no action.
        let action: String?
        let payload: WrittenPayload
    }
}

/// A text is no event log.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line that is no entry; the first one is 1.
    public let line: Int

    /// What is wrong and what to do about it.
    public var description: String {
        "Line \(line) is no entry of an event log. Give it whole lines, as Motherboard.record has written them."
    }
}

extension Motherboard {
    /// Writes down what happens on this motherboard and inside its boards, as it happens.
    ///
    /// For ``replay(_:)`` record a root motherboard, from before anything is activated on it.
    ///
    /// ```swift
    /// motherboard.recordEvents(excluding: .payment) { entry in file.write("\(entry)\n") }
    /// ```
    ///
    /// - Parameters:
    ///   - excluded: boards whose inputs, outputs, commands and actions are not written, for example what
    ///     pays. That they were activated, have sent something and ended is; so is what others send to lead there.
    ///   - write: is given each entry. Called synchronously, in the middle of things, on the motherboard's actor.
    /// - Returns: a token for ``stopObserving(_:)``.
    @discardableResult
    public func recordEvents<each Excluded>(
        excluding excluded: repeat BoardID<each Excluded>,
        write: @escaping (EventLog.Entry) -> Void
    ) -> ObserverToken {
        var names: Set<AnyBoardID> = []
        for id in repeat each excluded { names.insert(AnyBoardID(id)) }
        let excluded = names
        let beginning = ContinuousClock.now
        return observePayloads { event, payload in
            // Where nothing is sent there is nothing to withhold, and a replay can do it again.
            let isExcluded = !(payload is Void) && (event.board.map(excluded.contains) ?? false)
            write(
                EventLog.Entry(
                    event,
                    at: beginning.duration(to: event.time),
                    payload: isExcluded ? .unwritable("withheld") : nil,
                    of: payload
                )
            )
        }
    }
}

extension EventLog.Entry {
    init(_ event: BoardEvent, at time: Duration, payload: WrittenPayload? = nil, of value: Any) {
        self.time = time
        kind = event.kind
        board = event.board
        instance = event.instance
        enclosing = event.enclosing
        isDerived = event.isDerived
        isPrivate = event.isPrivate
        gate = event.gate
        let isAction = event.kind == .action || event.kind == .unhandledAction
        action = isAction ? actionName(of: type(of: value)) : nil
        self.payload =
            if let completion = value as? Completion {
                .json(.string(completion.description))
            } else {
                payload ?? WrittenPayload(value)
            }
    }
}
