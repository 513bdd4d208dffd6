#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A recording of the events on a motherboard, as one line of JSON for each event.
///
/// A line contains the value that was sent, if the value is `Codable`.
/// ``Motherboard/recordEvents(excluding:write:)`` creates the log. You and your tools can read it.
/// In a test, `replay(_:supplying:)` of `BackplaneTesting` repeats the actions of the recorded
/// boards.
///
/// ```json
/// {"board":"course","kind":"activated","number":3,"payload":"abc123","time":0.004}
/// ```
///
/// `time` is in seconds since the start of the recording. `board` and `number` are the
/// ``BoardInstance``. `inside`, `derived` and `private` are present if they are not empty or
/// `false`. `gate` is present if an activation waits, passes or is denied. If a value was sent but
/// not written, `unwritten` is the reason.
///
/// A log contains the inputs that boards received and the values that they sent. Store the log as
/// carefully as these values, and exclude boards whose values must stay secret.
public struct EventLog: Hashable, Sendable {
    /// The events, in the order they happened.
    public var entries: [Entry]

    /// Creates a log of these events.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Creates the log that was written as `jsonLines`.
    ///
    /// If the last line is incomplete, it was cut off when the writer stopped, so it is left out.
    ///
    /// - Throws: a `DecodingError` with the number of the first line that is not a valid entry.
    public init(jsonLines: String) throws {
        entries = []
        // By bytes: a value may contain characters that are line endings in Unicode, and JSON does
        // not escape them.
        let lines = jsonLines.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { $0 != UInt8(ascii: "\r") }) {
            do {
                entries.append(try JSONDecoder().decode(Line.self, from: Data(line)).entry)
            } catch {
                if index == lines.count - 1 { return }
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: [],
                        debugDescription:
                            "Line \(index + 1) is not a valid entry of an event log. Pass whole lines, as "
                            + "Motherboard.recordEvents wrote them.",
                        underlyingError: error
                    )
                )
            }
        }
    }

    /// The log as text: one line with a line ending for each event.
    public var jsonLines: String { entries.map { "\($0)\n" }.joined() }

    /// One event of a log.
    ///
    /// Its description is its line.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The time since the start of the recording.
        package let time: Duration
        /// The kind of the event.
        public let kind: BoardEvent.Kind
        /// The board of the event; `nil` if the event concerns no board.
        public let board: AnyBoardID?
        package let instance: BoardInstance?
        package let enclosing: [BoardInstance]
        package let isDerived: Bool
        package let isPrivate: Bool
        package let gate: AnyBoardID?
        /// The type name of an action; `nil` for other events.
        package let action: String?
        let payload: WrittenPayload
    }
}

extension Motherboard {
    /// Records the events on this motherboard and inside its boards, as they happen.
    ///
    /// To use the log with `replay(_:supplying:)`, record a root motherboard before any board is
    /// activated on it.
    ///
    /// ```swift
    /// motherboard.recordEvents(excluding: Payment.id) { entry in file.write("\(entry)\n") }
    /// ```
    ///
    /// - Parameters:
    ///   - excluded: the boards whose inputs, outputs, commands and actions are withheld, for
    ///     example payment boards. Their events are still recorded, without these values. If
    ///     another board sends a value, the value is recorded, even if it activates an excluded
    ///     board.
    ///   - write: the closure that receives each entry. It is called synchronously on the
    ///     motherboard's actor, often inside a turn.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func recordEvents<each Excluded>(
        excluding excluded: repeat BoardID<each Excluded>,
        write: @escaping (EventLog.Entry) -> Void
    ) -> Registration {
        var names: Set<AnyBoardID> = []
        for id in repeat each excluded { names.insert(AnyBoardID(id)) }
        let excluded = names
        let beginning = ContinuousClock.now
        return observePayloads { event, payload in
            // An event without a value has nothing to withhold, and a replay can repeat it.
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

// The parts of an entry that a replay in BackplaneTesting reads.
extension EventLog.Entry {
    package init(replaying event: BoardEvent, at time: Duration, of value: Any) {
        self.init(event, at: time, of: value)
    }

    /// The written value, for a reader that knows its type.
    package var value: any ReadablePayload { payload }

    /// The reason why a value was not written.
    package var unwritten: String? {
        if case .unwritable(let reason) = payload { reason } else { nil }
    }

    /// The written value if it is a string, for example that of a completion.
    package var text: String? {
        if case .json(.string(let text)) = payload { text } else { nil }
    }

    /// Returns whether the written value is a form of `value`.
    package func isForm(of value: Any) -> Bool { payload.isForm(of: value) }
}
