/// What is live on a motherboard and inside its boards, to be stored and activated again later, by another process too:
/// made by ``Motherboard/snapshot()``, put to use by ``Motherboard/restore(_:)``.
///
/// A board needs no more than its input, so this is a tree of identities and inputs, without any state that boards have
/// beyond those. As JSON it reads
///
/// ```json
/// {"boards": [{"board": "dashboard", "input": "ada"}, {"board": "course", "input": "abc123"}]}
/// ```
///
/// It contains what boards were activated with: store it as carefully as that.
public struct BoardSnapshot: Codable, Hashable, Sendable {
    /// What is live, in the order of the latest activations.
    public let boards: [Entry]

    /// One activation, of a board that is live or that waits at a gate.
    public struct Entry: Hashable, Sendable {
        /// The identity that was activated.
        public let board: AnyBoardID
        /// The gate that it waits at; nil of a board that is live.
        public let gate: AnyBoardID?
        /// Whether it waits at a gate.
        public var isWaiting: Bool { gate != nil }
        /// Why it cannot be restored; nil if it can.
        public let obstacle: Obstacle?
        /// What is on its nested motherboard.
        public let inside: [Entry]
        let input: WrittenPayload

        init(
            board: AnyBoardID,
            gate: AnyBoardID? = nil,
            input: WrittenPayload,
            isAwaited: Bool,
            inside: [Entry] = []
        ) {
            self.board = board
            self.gate = gate
            self.input = input
            self.inside = inside
            obstacle =
                if isAwaited { .awaited } else if case .unwritable = input { .inputNotCodable } else { nil }
        }
    }

    /// Why an activation cannot be restored, or was not.
    ///
    /// More may be added.
    public struct Obstacle: Hashable, Sendable, Codable, CustomStringConvertible {
        /// What stands in the way, in a word.
        public let description: String

        /// Its input is not `Codable`, or failed to encode itself.
        public static let inputNotCodable = Obstacle(description: "inputNotCodable")
        /// A caller awaited its result, and will not be there any more.
        public static let awaited = Obstacle(description: "awaited")
        /// Its input could not be decoded: most likely its type has changed since.
        public static let inputUnreadable = Obstacle(description: "inputUnreadable")
        /// No board is registered under the identity.
        public static let noSuchBoard = Obstacle(description: "noSuchBoard")
        /// Its gate did not open.
        public static let denied = Obstacle(description: "denied")
        /// It is a scope that is not live, or that is live with another input: enter it, then restore again.
        public static let scopeNotEntered = Obstacle(description: "scopeNotEntered")
        /// The board around it could not be restored, or waits at its gate now.
        public static let outsideMissing = Obstacle(description: "outsideMissing")
    }

    /// An activation that a snapshot has and that was not restored.
    public struct Unrestored: Hashable, Sendable, CustomStringConvertible {
        /// The identity, behind those of the boards around it.
        public let path: [AnyBoardID]
        /// Why.
        public let obstacle: Obstacle

        /// The path and the obstacle: `composer/recipientPicker: awaited`.
        public var description: String { "\(path.map(\.name).joined(separator: "/")): \(obstacle)" }
    }
}

extension BoardSnapshot.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case board, input, gate, obstacle, inside
    }

    /// An entry as it was encoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        board = AnyBoardID(name: try container.decode(String.self, forKey: .board))
        // Not `decodeIfPresent`: null is a value that an input may have.
        input = container.contains(.input) ? .json(try container.decode(JSON.self, forKey: .input)) : .nothing
        gate = try container.decodeIfPresent(String.self, forKey: .gate).map(AnyBoardID.init(name:))
        obstacle = try container.decodeIfPresent(BoardSnapshot.Obstacle.self, forKey: .obstacle)
        inside = try container.decodeIfPresent([Self].self, forKey: .inside) ?? []
    }

    /// Encodes what is not as usual.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board.name, forKey: .board)
        if case .json(let json) = input { try container.encode(json, forKey: .input) }
        try container.encodeIfPresent(gate?.name, forKey: .gate)
        try container.encodeIfPresent(obstacle, forKey: .obstacle)
        if !inside.isEmpty { try container.encode(inside, forKey: .inside) }
    }
}

extension BoardSnapshot.Obstacle {
    /// An obstacle as it was encoded.
    public init(from decoder: any Decoder) throws {
        description = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
