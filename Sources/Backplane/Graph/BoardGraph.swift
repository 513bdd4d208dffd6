/// The boards of a motherboard and the declared connections between them.
///
/// ``Motherboard/graph()`` creates it. It is a value whose parts are in the order of registration.
/// It has two text forms for reading, ``mermaid`` and ``dot``.
public struct BoardGraph: Hashable, Sendable {
    /// A board that is registered, or that only a flow or a gate names.
    public struct Node: Hashable, Sendable {
        /// The ID of the board.
        public let board: AnyBoardID
        /// Whether the board is registered, here or on an ancestor.
        ///
        /// A board that is declared inside a scope counts as registered if the live scope registers
        /// it. While the scope is not live, that is not known, and this is `false`: see
        /// ``scopeToEnter``.
        public let isRegistered: Bool
        /// The scope that the board is declared inside, if that scope is not live.
        ///
        /// A test enters the scope first, and then looks for boards that are not registered. The
        /// text forms draw a dashed border around a board that is not registered, unless a scope is
        /// to be entered first.
        public let scopeToEnter: AnyBoardID?
        /// The number of live boards with the ID on this motherboard.
        public let liveCount: Int
    }

    /// A connection from one board to another.
    public struct Edge: Hashable, Sendable {
        /// The kind of a connection.
        ///
        /// Future versions may add kinds.
        public struct Kind: Hashable, Sendable, CustomStringConvertible {
            /// The kind's name.
            public let description: String

            /// An output of the first board activates the second one: `->>>`, or a mapping flow.
            public static let flow = Kind(description: "flow")
            /// A handler that was registered with `registerFlow(from:leadingTo:handler:)`.
            public static let handler = Kind(description: "handler")
            /// A handler of several outputs together: `registerCombinedFlow(_:leadingTo:handler:)`.
            public static let combined = Kind(description: "combined")
            /// The first board is a gate in front of the second one.
            ///
            /// Gates in front of one board are in the order in which they are asked.
            public static let gate = Kind(description: "gate")
            /// The first board is the entrance of the second one, which is a scope.
            public static let entrance = Kind(description: "entrance")
            /// The first board is a scope, and the second one is inside it.
            public static let scope = Kind(description: "scope")
        }

        /// The board that the connection starts at: the sender of the output, the gate, the
        /// entrance or the scope.
        public let from: AnyBoardID
        /// The board that the connection leads to.
        public let to: AnyBoardID
        /// The kind of the connection.
        public let kind: Kind

        init(from: AnyBoardID, to: AnyBoardID, kind: Kind) {
            self.from = from
            self.to = to
            self.kind = kind
        }

        /// Creates a connection, to compare with in tests.
        public init<From, To>(from: BoardID<From>, to: BoardID<To>, kind: Kind) {
            self.init(from: AnyBoardID(from), to: AnyBoardID(to), kind: kind)
        }
    }

    /// A link template and the board that it activates.
    public struct Link: Hashable, Sendable {
        /// The link template.
        public let template: LinkTemplate
        /// The ID of the board.
        public let board: AnyBoardID
    }

    /// A contribution point and its number of contributions.
    public struct Point: Hashable, Sendable {
        /// The point's name.
        public let name: String
        /// The number of contributions on this motherboard.
        public let count: Int
    }

    /// The graph inside a live board.
    public struct Inside: Hashable, Sendable {
        /// The live board.
        public let board: BoardInstance
        /// The graph of its nested motherboard.
        public let graph: BoardGraph
    }

    /// The boards, in the order in which they were first registered or named.
    public let nodes: [Node]
    /// The declared connections, without duplicates.
    public let edges: [Edge]
    /// The links that lead to boards here, in the order of registration.
    public let links: [Link]
    /// The points with contributions here, in the order of their first contributions.
    public let points: [Point]
    /// The graphs of the nested motherboards of live boards.
    public let insides: [Inside]
}

extension Motherboard {
    /// Returns the boards of this motherboard, their links, and the declared flows and gates.
    ///
    /// The code of a handler is not analyzed. So a handler is on the graph only if you registered
    /// it with `leadingTo:`. A nested motherboard belongs to a live board, so the graph contains
    /// only the nested motherboards that exist now.
    ///
    /// ```swift
    /// print(motherboard.graph().mermaid)
    /// ```
    public func graph() -> BoardGraph {
        checkOwner()
        var position = 0
        while position < allEntries.count {
            // A gate that an ancestor sets decides here, and may have gates itself.
            for gate in allEntries[position].gateBoards { _ = entry(named: gate.name) }
            position += 1
        }
        let entries = allEntries
        var edges: [BoardGraph.Edge] = []
        for entry in entries {
            for flow in entry.outputFlows {
                for next in flow.leadsTo {
                    edges.append(BoardGraph.Edge(from: entry.anyID, to: next, kind: flow.edgeKind))
                }
            }
            let kind: BoardGraph.Edge.Kind = entry.isElsewhere ? .scope : .gate
            // Inside a scope, the route out leads to the scope itself.
            for gate in entry.gateBoards where gate != entry.anyID {
                edges.append(BoardGraph.Edge(from: gate, to: entry.anyID, kind: kind))
            }
        }
        var seen: Set<BoardGraph.Edge> = []
        return BoardGraph(
            nodes: entries.map { entry in
                // The board may belong inside a scope that is live.
                let home = entry.home
                return BoardGraph.Node(
                    board: entry.anyID,
                    isRegistered: home.isRegistered,
                    scopeToEnter: home.route?.gateBoard.anyID,
                    liveCount: entry.liveBoards.count
                )
            },
            edges: edges.filter { seen.insert($0).inserted },
            links: links.routes.map { BoardGraph.Link(template: $0, board: $1.board) },
            points: contributionLists.filter { !$0.all.isEmpty }
                .map { BoardGraph.Point(name: $0.point, count: $0.all.count) },
            insides: entries.flatMap(\.liveBoards).compactMap { liveBoard in
                liveBoard.nestedIfAny.map { BoardGraph.Inside(board: liveBoard.instance, graph: $0.graph()) }
            }
        )
    }
}

extension AnyBoardEntry {
    /// The gates in front of the board.
    ///
    /// If the board is not registered, these are the gates that were set for exactly its ID.
    fileprivate var gateBoards: [AnyBoardID] {
        (isKnown ? gatesInForce : ownGates).map(\.gateBoard.anyID)
    }
}
