/// The boards of a motherboard and the declared connections between them.
///
/// ``Motherboard/graph()`` creates it. Its parts are in the order of registration. It has two text
/// forms for reading, ``mermaid`` and ``dot``.
public struct BoardGraph: Hashable, Sendable {
    /// A board that is registered, or that only a flow or a gate names.
    struct Node: Hashable, Sendable {
        let board: AnyBoardID
        /// Whether the board is registered, here, on an ancestor, or by the live scope that it is
        /// declared inside.
        let isRegistered: Bool
        /// The scope that the board is declared inside, if that scope is not live.
        let scopeToEnter: AnyBoardID?
        /// The number of live boards with the ID on this motherboard.
        let liveCount: Int
    }

    /// A connection from one board to another.
    struct Edge: Hashable, Sendable {
        enum Kind {
            /// An output of the first board activates the second one: `->>>`, or a mapping flow.
            case flow
            /// A handler of one board, or of several together, that declares where it leads.
            case handler, combined
            /// The first board is a gate in front of the second one.
            ///
            /// Gates in front of one board are in the order in which they are asked.
            case gate
            /// The first board is the entrance of the second one, which is a scope.
            case entrance
            /// The first board is a scope, and the second one is inside it.
            case scope
        }

        let from: AnyBoardID
        let to: AnyBoardID
        let kind: Kind
    }

    /// A link template and the board that it activates.
    struct Link: Hashable, Sendable {
        let template: LinkTemplate
        let board: AnyBoardID
    }

    /// A contribution point and its number of contributions here.
    struct Point: Hashable, Sendable {
        let name: String
        let count: Int
    }

    /// The graph inside a live board.
    struct Inside: Hashable, Sendable {
        let board: BoardInstance
        let graph: BoardGraph
    }

    let nodes: [Node]
    /// The declared connections, without duplicates.
    let edges: [Edge]
    let links: [Link]
    let points: [Point]
    let insides: [Inside]

    /// The boards that have no registration, although a flow, a gate or a link names them.
    ///
    /// The flows, gates and links are those of this motherboard, and of the motherboards inside
    /// live boards.
    ///
    /// A board that is declared inside a scope counts as registered if the live scope registers it.
    /// While the scope is not live, this is unknown, and the board is listed. So in a test,
    /// enter the scopes first, and then expect an empty list.
    public var unregistered: [AnyBoardID] {
        nodes.filter { !$0.isRegistered }.map(\.board) + insides.flatMap(\.graph.unregistered)
    }

    /// The scopes with boards that are declared inside them.
    public var scopes: Set<AnyBoardID> { Set(edges.filter { $0.kind == .scope }.map(\.from)) }
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
            links: links.routes.map { BoardGraph.Link(template: $0.template, board: $0.destination.board) },
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
