import Backplane
import Testing

private final class SearchBoard: Board {
    let slot: Slot<Search>

    init(slot: Slot<Search>) {
        self.slot = slot
    }

    func activate(with text: String) {
        send(text.count)
    }
}

@MainActor struct SeeingCallers {
    private let motherboard = Motherboard.onMain()

    init() {
        assemble(motherboard)
    }

    private func assemble(_ motherboard: Motherboard) {
        motherboard.register(.search) { SearchBoard(slot: $0) }
        motherboard.registerFlow(from: .search, leadingTo: .upload, .login) { count, motherboard in
            motherboard.activate(.upload, with: count)
        }
        motherboard.registerCombinedFlow(.search, .profile, strategy: .latest, leadingTo: .upload) { _, _, _ in }
        motherboard.registerLink("search/{text}", to: .search, parents: ["/"])
    }

    @Test func `a snapshot restores live boards`() {
        motherboard.activate(.search, with: "engine")
        let snapshot = motherboard.snapshot()
        let other = Motherboard()
        assemble(other)
        #expect(other.restore(snapshot).isEmpty)
        #expect(other.snapshot() == snapshot)
    }

    @Test func `recorded events can be replayed`() throws {
        var log = EventLog()
        let token = motherboard.recordEvents(excluding: .login) { log.entries.append($0) }
        motherboard.open("/search/engine")
        motherboard.remove(token)

        let other = Motherboard()
        assemble(other)
        let replay = other.replay(try EventLog(jsonLines: log.jsonLines))
        #expect(replay.performed > 0)
        #expect(replay.omissions.isEmpty)
    }

    @Test func `a graph has text forms`() {
        let graph = motherboard.graph()
        #expect(graph.mermaid.hasPrefix("flowchart"))
        #expect(graph.dot.hasPrefix("digraph"))
        #expect(graph.edges.contains { $0.from == .search && $0.kind == .handler })
        #expect(graph.nodes.allSatisfy { $0.scopeToEnter == nil })
    }

    @Test func `an event names its board instance and location`() {
        var places: [String] = []
        motherboard.observe { event in
            if event.kind == .activated, event.enclosing.isEmpty, !event.isDerived {
                places.append(event.instance?.description ?? "")
            }
        }
        motherboard.activate(.search, with: "engine")
        #expect(places == ["search#1"])
    }

    @Test func `a link has parent links`() {
        #expect(motherboard.parents(of: "/search/engine") == ["/"])
    }
}
