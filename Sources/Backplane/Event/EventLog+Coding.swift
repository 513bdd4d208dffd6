#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EventLog.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case time, kind, board, number, inside, derived, `private`, gate, action, payload, unwritten
    }

    /// The entry's line: JSON with its keys in alphabetical order.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail, because payloads that cannot be encoded were replaced when they
        // were written.
        guard let line = try? encoder.encode(self) else { return "" }
        return String(decoding: line, as: UTF8.self)
    }

    /// Creates an entry from its encoded form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let seconds = try container.decode(Double.self, forKey: .time)
        guard seconds.magnitude < 0x1p63 else {
            throw DecodingError.dataCorruptedError(
                forKey: .time,
                in: container,
                debugDescription: "The time is too large for a recording."
            )
        }
        time = .seconds(seconds)
        kind = BoardEvent.Kind(description: try container.decode(String.self, forKey: .kind))
        let id = try container.decodeIfPresent(String.self, forKey: .board).map(AnyBoardID.init(name:))
        board = id
        let number = try container.decodeIfPresent(UInt64.self, forKey: .number)
        instance = number.flatMap { number in id.map { BoardInstance(id: $0, number: number) } }
        enclosing =
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
        isDerived = try container.decodeIfPresent(Bool.self, forKey: .derived) ?? false
        isPrivate = try container.decodeIfPresent(Bool.self, forKey: .private) ?? false
        gate = try container.decodeIfPresent(String.self, forKey: .gate).map(AnyBoardID.init(name:))
        action = try container.decodeIfPresent(String.self, forKey: .action)
        // Not `decodeIfPresent`, because `null` is a valid payload.
        if container.contains(.payload) {
            payload = .json(try container.decode(JSON.self, forKey: .payload))
        } else {
            payload = try container.decodeIfPresent(String.self, forKey: .unwritten).map { .unwritable($0) } ?? .nothing
        }
    }

    /// Encodes the properties that have a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time / .seconds(1), forKey: .time)
        try container.encode(kind.description, forKey: .kind)
        try container.encodeIfPresent(board?.name, forKey: .board)
        try container.encodeIfPresent(instance?.number, forKey: .number)
        if !enclosing.isEmpty { try container.encode(enclosing.map(\.description), forKey: .inside) }
        if isDerived { try container.encode(true, forKey: .derived) }
        if isPrivate { try container.encode(true, forKey: .private) }
        try container.encodeIfPresent(gate?.name, forKey: .gate)
        try container.encodeIfPresent(action, forKey: .action)
        switch payload {
        case .nothing: break
        case .json(let json): try container.encode(json, forKey: .payload)
        case .unwritable(let reason): try container.encode(reason, forKey: .unwritten)
        }
    }
}
