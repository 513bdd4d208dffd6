#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value as it is written down: in a snapshot, in an event log.
///
/// In between two processes nobody knows the types of boards' inputs; their motherboard does, and reads them from this.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    /// A number of more digits than a `Double` keeps.
    case decimal(Decimal)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// What `value` is encoded as.
    init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    }

    /// The value that this is the encoding of.
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }
}

extension JSON: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            let exact = try? container.decode(Decimal.self)
            self = if let exact, exact != Decimal(string: "\(value)") { .decimal(exact) } else { .number(value) }
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// A value whose type is known only where it is used.
protocol ReadablePayload {
    /// The value, if it is of that type.
    func read<Value>(as type: Value.Type) -> Value?
}

/// What a board was given or has sent, as far as it can be written down and read again.
enum WrittenPayload: Hashable, Sendable, ReadablePayload {
    /// There is nothing to write: `Void`.
    case nothing
    case json(JSON)
    /// Why it cannot be written; names the type, never the value.
    case unwritable(String)

    init(_ payload: Any) {
        if payload is Void {
            self = .nothing
        } else if let payload = payload as? any Encodable & Decodable {
            do {
                self = .json(try JSON(encoding: payload))
            } catch {
                self = .unwritable("\(type(of: payload)) failed to encode itself")
            }
        } else {
            self = .unwritable("\(type(of: payload)) is not Codable")
        }
    }

    /// The value that was written, as the type it must have been.
    func read<Value>(as type: Value.Type) -> Value? {
        switch self {
        case .nothing: () as? Value
        case .json(let json):
            (Value.self as? any Decodable.Type).flatMap { try? json.decoded(as: $0) } as? Value
        case .unwritable: nil
        }
    }
}
