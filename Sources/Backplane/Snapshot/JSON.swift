#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value in its written form, as snapshots and event logs contain it.
///
/// A snapshot or an event log does not know the types of the values. The motherboard that reads it
/// knows them and decodes the values.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    /// A number with more digits than a `Double` keeps.
    case decimal(Decimal)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Creates the JSON encoding of `value`.
    init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    }

    /// Returns the value that this JSON encodes.
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

/// A payload whose type is known only to its reader.
package protocol ReadablePayload {
    /// Returns the payload as a value of the given type, or `nil` if it is not of that type.
    func read<Value>(as type: Value.Type) -> Value?
}

/// The written form of a value that a board received or sent, if the value has one.
enum WrittenPayload: Hashable, Sendable, ReadablePayload {
    /// The value is `Void`, so there is nothing to write.
    case nothing
    case json(JSON)
    /// The reason why the value cannot be written, which names its type but never the value.
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

    /// Returns the written value as the given type, or `nil` if it cannot be decoded.
    func read<Value>(as type: Value.Type) -> Value? {
        switch self {
        case .nothing: () as? Value
        case .json(let json):
            (Value.self as? any Decodable.Type).flatMap { try? json.decoded(as: $0) } as? Value
        case .unwritable: nil
        }
    }
}
