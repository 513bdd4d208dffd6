/// Which boards there are on a motherboard, and how they are declared to lead to one another: made by
/// ``Motherboard/graph()``.
///
/// A value, in the order in which things were registered; it is text for people too, as ``mermaid`` and ``dot``.
public struct BoardGraph: Hashable, Sendable {
    /// A board: registered, or only named by a flow or a gate.
    public struct Node: Hashable, Sendable {
        /// The board's identity.
        public let board: AnyBoardID
        /// Whether it is registered, here or around, or said to be inside a scope; one that is not is drawn dashed.
        public let isRegistered: Bool
        /// How many of it are live on this motherboard.
        public let liveCount: Int
    }

    /// A way from one board to another.
    public struct Edge: Hashable, Sendable {
        /// What sort of way it is.
        ///
        /// More may be added.
        public struct Kind: Hashable, Sendable, CustomStringConvertible {
            /// The kind's name.
            public let description: String

            /// The output of one activates the other: `->>>`, or a flow that maps.
            public static let flow = Kind(description: "flow")
            /// A handler was registered as leading there: `registerFlow(from:leadingTo:handler:)`.
            public static let handler = Kind(description: "handler")
            /// A handler of several outputs together was: `registerCombinedFlow(_:leadingTo:handler:)`.
            public static let combined = Kind(description: "combined")
            /// The one is a gate in front of the other; edges to one board are in the order in which they are asked.
            public static let gate = Kind(description: "gate")
            /// The one is the entrance of the other, which is a scope.
            public static let entrance = Kind(description: "entrance")
            /// The one is the scope that the other is inside of.
            public static let scope = Kind(description: "scope")
        }

        /// The board whose output it begins with; the gate, where it is one.
        public let from: AnyBoardID
        /// Where it leads.
        public let to: AnyBoardID
        /// What sort of way it is.
        public let kind: Kind

        init(from: AnyBoardID, to: AnyBoardID, kind: Kind) {
            self.from = from
            self.to = to
            self.kind = kind
        }

        /// A way, to compare with in tests.
        public init<From, To>(from: BoardID<From>, to: BoardID<To>, kind: Kind) {
            self.init(from: AnyBoardID(from), to: AnyBoardID(to), kind: kind)
        }
    }

    /// A shape of link, and the board that it activates.
    public struct Link: Hashable, Sendable {
        /// The shape.
        public let template: LinkTemplate
        /// The board.
        public let board: AnyBoardID
    }

    /// A contribution point, and how much is contributed to it.
    public struct Point: Hashable, Sendable {
        /// The point's name.
        public let name: String
        /// The number of contributions on this motherboard.
        public let count: Int
    }

    /// What is inside a live board.
    public struct Inside: Hashable, Sendable {
        /// The live board.
        public let board: BoardInstance
        /// What is on its nested motherboard.
        public let graph: BoardGraph
    }

    /// The boards, in the order in which they were first registered or named.
    public let nodes: [Node]
    /// The declared ways, each once.
    public let edges: [Edge]
    /// The links that lead here, in the order of registration.
    public let links: [Link]
    /// The points that something is contributed to here, in the order of the first contributions.
    public let points: [Point]
    /// The nested motherboards of live boards.
    public let insides: [Inside]
}

extension Motherboard {
    /// The boards of this motherboard, the links that lead to them, and the flows and gates between them as far as they
    /// are declared.
    ///
    /// What a handler does is code, which nobody can see into: it is on the graph if it was registered with
    /// `leadingTo:`. Nested motherboards belong to live boards, so those are on it that are there now.
    ///
    /// ```swift
    /// print(motherboard.graph().mermaid)
    /// ```
    public func graph() -> BoardGraph {
        checkOwner()
        var position = 0
        while position < allEntries.count {
            // A gate that is set around here decides here; it may have gates itself.
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
            // Inside of a scope, the way out leads to the scope itself.
            for gate in entry.gateBoards where gate != entry.anyID {
                edges.append(BoardGraph.Edge(from: gate, to: entry.anyID, kind: kind))
            }
        }
        var seen: Set<BoardGraph.Edge> = []
        return BoardGraph(
            nodes: entries.map { entry in
                BoardGraph.Node(
                    board: entry.anyID,
                    isRegistered: entry.isKnown,
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
    /// The gates in front of the board: of one that is not registered, those that were set for its very ID.
    fileprivate var gateBoards: [AnyBoardID] {
        (isKnown ? gatesInForce : ownGates).map(\.gateBoard.anyID)
    }
}
