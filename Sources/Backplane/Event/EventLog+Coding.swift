#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EventLog.Entry {
    /// The entry's line: JSON with its keys in alphabetical order.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail, because payloads that cannot be encoded were replaced when they
        // were written.
        guard let line = try? encoder.encode(EventLog.Line(entry: self)) else { return "" }
        return String(decoding: line, as: UTF8.self)
    }
}

extension EventLog {
    /// The coded form of an entry.
    struct Line {
        let entry: Entry
    }
}

extension EventLog.Line: Codable {
    private enum CodingKeys: String, CodingKey {
        case time, kind, board, number, inside, derived, `private`, gate, action, payload, unwritten
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let seconds = try container.decode(Double.self, forKey: .time)
        guard seconds.magnitude < 0x1p63 else {
            throw DecodingError.dataCorruptedError(
                forKey: .time,
                in: container,
                debugDescription: "The time is too large for a recording."
            )
        }
        let id = try container.decodeIfPresent(String.self, forKey: .board).map(AnyBoardID.init(name:))
        let number = try container.decodeIfPresent(UInt64.self, forKey: .number)
        let instance = number.flatMap { number in id.map { BoardInstance(id: $0, number: number) } }
        let enclosing: [BoardInstance] =
            try container.decodeIfPresent([String].self, forKey: .inside).map { names in
                try names.map { name in
                    guard let instance = BoardInstance(name) else {
                        throw DecodingError.dataCorruptedError(
                            forKey: .inside,
                            in: container,
                            debugDescription: "An enclosing board must be written as 'course#3'."
                        )
                    }
                    return instance
                }
            } ?? []
        // Not `decodeIfPresent`, because `null` is a valid payload.
        let payload: WrittenPayload =
            if container.contains(.payload) {
                .json(try container.decode(JSON.self, forKey: .payload))
            } else {
                try container.decodeIfPresent(String.self, forKey: .unwritten).map { .unwritable($0) } ?? .nothing
            }
        // To whole nanoseconds, as clocks have them: the nearest number of seconds may differ from
        // what was written, and would be written otherwise again.
        let whole = seconds.rounded(.down)
        entry = EventLog.Entry(
            time: .seconds(Int64(whole)) + .nanoseconds(Int64(((seconds - whole) * 1e9).rounded())),
            kind: BoardEvent.Kind(description: try container.decode(String.self, forKey: .kind)),
            board: id,
            instance: instance,
            enclosing: enclosing,
            isDerived: try container.decodeIfPresent(Bool.self, forKey: .derived) ?? false,
            isPrivate: try container.decodeIfPresent(Bool.self, forKey: .private) ?? false,
            gate: try container.decodeIfPresent(String.self, forKey: .gate).map(AnyBoardID.init(name:)),
            action: try container.decodeIfPresent(String.self, forKey: .action),
            payload: payload
        )
    }

    /// Encodes the properties that have a value.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entry.time / .seconds(1), forKey: .time)
        try container.encode(entry.kind.description, forKey: .kind)
        try container.encodeIfPresent(entry.board?.name, forKey: .board)
        try container.encodeIfPresent(entry.instance?.number, forKey: .number)
        if !entry.enclosing.isEmpty { try container.encode(entry.enclosing.map(\.description), forKey: .inside) }
        if entry.isDerived { try container.encode(true, forKey: .derived) }
        if entry.isPrivate { try container.encode(true, forKey: .private) }
        try container.encodeIfPresent(entry.gate?.name, forKey: .gate)
        try container.encodeIfPresent(entry.action, forKey: .action)
        switch entry.payload {
        case .nothing: break
        case .json(let json): try container.encode(json, forKey: .payload)
        case .unwritable(let reason): try container.encode(reason, forKey: .unwritten)
        }
    }
}
