/// The live boards of a motherboard, and the live boards inside them, stored for a later restore.
///
/// ``Motherboard/snapshot()`` creates a snapshot. ``Motherboard/restore(_:)`` activates its boards
/// again, in another process too.
///
/// A board needs only its input, so a snapshot is a tree of IDs and inputs. It has no other state
/// of the boards. As JSON it reads:
///
/// ```json
/// {"boards": [{"board": "dashboard", "input": "ada"}, {"board": "course", "input": "abc123"}]}
/// ```
///
/// A snapshot contains the inputs of boards. Store it as carefully as you store those inputs. Two
/// snapshots are equal if their texts are equal. An input with a `Set` can be written in several
/// orders, so two snapshots with equal inputs can differ.
public struct BoardSnapshot: Codable, Hashable, Sendable {
    /// The live boards and waiting activations, in the order of their latest activations.
    let boards: [Entry]

    /// The IDs of the live boards and waiting activations on the motherboard itself, in the order
    /// of their latest activations.
    public var ids: [AnyBoardID] { boards.map(\.board) }

    /// Whether an activation waits at a gate, on the motherboard or inside its boards.
    public var isWaiting: Bool { boards.contains(where: \.isAnyWaiting) }

    /// One activation of a board that is live or that waits at a gate.
    struct Entry: Hashable, Sendable {
        let board: AnyBoardID
        /// The gate at which the activation waits, or `nil` if the board is live.
        let gate: AnyBoardID?
        var isWaiting: Bool { gate != nil }
        fileprivate var isAnyWaiting: Bool { isWaiting || inside.contains(where: \.isAnyWaiting) }
        /// The reason why the activation cannot be restored, or `nil` if it can.
        let obstacle: Obstacle?
        /// The activations on the board's nested motherboard.
        let inside: [Entry]
        let input: WrittenPayload

        init(
            board: AnyBoardID,
            gate: AnyBoardID? = nil,
            input: WrittenPayload,
            isAwaited: Bool,
            isDenied: Bool = false,
            inside: [Entry] = []
        ) {
            self.board = board
            self.gate = gate
            self.input = input
            self.inside = inside
            obstacle =
                if isAwaited {
                    .awaited
                } else if case .unwritable = input {
                    .inputNotCodable
                } else {
                    isDenied ? .denied : nil
                }
        }
    }

    /// The reason why an activation cannot be restored, or was not restored.
    ///
    /// More reasons may be added.
    public struct Obstacle: Hashable, Sendable, CustomStringConvertible {
        /// The reason in one word.
        public let description: String

        /// The input is not `Codable`, or its encoding failed.
        public static let inputNotCodable = Obstacle(description: "inputNotCodable")
        /// A caller awaited the result, and that caller does not exist after a restore.
        public static let awaited = Obstacle(description: "awaited")
        /// The input could not be decoded, most likely because its type has changed.
        public static let inputUnreadable = Obstacle(description: "inputUnreadable")
        /// No board is registered under the ID.
        public static let noSuchBoard = Obstacle(description: "noSuchBoard")
        /// The board is a task board, and its registration does not say that its work may be
        /// repeated.
        ///
        /// See the parameter `repeatable` of `Motherboard.registerTask`.
        public static let notRepeatable = Obstacle(description: "notRepeatable")
        /// A gate did not open.
        ///
        /// There is one more case: the activation came from another motherboard with gates of its
        /// own, and waited here. A restored activation would not ask those gates, so it is denied.
        public static let denied = Obstacle(description: "denied")
        /// The scope is not live, or is live with another input.
        ///
        /// Enter the scope, then restore the snapshot again.
        public static let scopeNotEntered = Obstacle(description: "scopeNotEntered")
        /// The board that contains this one could not be restored, or waits at its gate now.
        public static let outsideMissing = Obstacle(description: "outsideMissing")
    }

    /// An activation of a snapshot that was not restored.
    public struct Unrestored: Hashable, Sendable, CustomStringConvertible {
        /// The IDs of the boards that contain the activated board, then its own ID.
        public let path: [AnyBoardID]
        /// The reason why the activation was not restored.
        public let obstacle: Obstacle

        /// The path and the obstacle: `composer/recipientPicker: awaited`.
        public var description: String { "\(path.map(\.name).joined(separator: "/")): \(obstacle)" }
    }
}

extension BoardSnapshot.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case board, input, gate, obstacle, inside
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        board = AnyBoardID(name: try container.decode(String.self, forKey: .board))
        // Not `decodeIfPresent`, because null is a possible input.
        input = container.contains(.input) ? .json(try container.decode(JSON.self, forKey: .input)) : .nothing
        gate = try container.decodeIfPresent(String.self, forKey: .gate).map(AnyBoardID.init(name:))
        let obstacle = try container.decodeIfPresent(String.self, forKey: .obstacle)
        self.obstacle = obstacle.map(BoardSnapshot.Obstacle.init(description:))
        inside = try container.decodeIfPresent([Self].self, forKey: .inside) ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board.name, forKey: .board)
        if case .json(let json) = input { try container.encode(json, forKey: .input) }
        try container.encodeIfPresent(gate?.name, forKey: .gate)
        try container.encodeIfPresent(obstacle?.description, forKey: .obstacle)
        if !inside.isEmpty { try container.encode(inside, forKey: .inside) }
    }
}
