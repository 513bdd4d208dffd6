import Backplane
import TestSupport
import Testing

private enum Dashboard: BoardContract {}
private enum URLPicker: BoardContract {}
private enum FAQ: BoardContract {}
private enum X: BoardContract {}
private enum Overview: BoardContract {
    static let id: BoardID<Self> = "dashboardOverview"
}
private enum Feed<Item>: BoardContract {}
enum Outer {
    enum Contract: BoardContract {}
}

private struct Still<Contract: BoardContract>: Board where Contract.Command == Never {
    let slot: Slot<Contract>
    func activate(with input: Contract.Input) {}
}

/// A contract carries its ID.
@Suite(.rule("B81"))
@MainActor struct ContractIDTests {
    @Test func `the name is the type's name beginning with a small letter, unless the contract declares one`() {
        #expect(Dashboard.id.name == "dashboard")
        #expect(URLPicker.id.name == "urlPicker")
        #expect(FAQ.id.name == "faq")
        #expect(X.id.name == "x")
        #expect(Overview.id.name == "dashboardOverview")
        #expect(Feed<Int>.id.name == "feed<Swift.Int>")
        #expect(Numbers.id == "numbers")
        #expect(Outer.Contract.id.name == "outer.Contract")
    }

    @Test func `the name is the same on every thread, and differs between forms of a generic contract`() async {
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { [Feed<Int>.id.name, Feed<String>.id.name, URLPicker.id.name] } }
            for await names in group { #expect(names == ["feed<Swift.Int>", "feed<Swift.String>", "urlPicker"]) }
        }
        #expect(Feed<Int>.id == Feed<Int>.id)
    }

    @Test func `a contract's ID registers and activates its board`() {
        let motherboard = Motherboard.onMain()
        motherboard.probe(Words.id)
        #expect(motherboard.activate(Words.id, with: "a").state == .active)
        #expect(motherboard.isLive(.words))
    }

    @Test func `the ID of a contract equals the ID that is made from its name`() {
        #expect(Dashboard.id == "dashboard")
        #expect(Dashboard.id != "overview")
        #expect(Set([Dashboard.id, "dashboard", BoardID("dashboard")]).count == 1)
        let motherboard = Motherboard.onMain()
        motherboard.register { slot in Still<Dashboard>(slot: slot) }
        #expect(motherboard.activate(Dashboard.id).state == .active)
        motherboard.complete("dashboard" as BoardID<Dashboard>)
        #expect(!motherboard.isLive(Dashboard.id))
    }

    @Test func `the ID of a contract finds its own board among others, each time`() {
        let motherboard = Motherboard.onMain()
        let other = BoardID<Dashboard>("other")
        motherboard.register(other) { slot in Still<Dashboard>(slot: slot) }
        #expect(motherboard.activate(Dashboard.id).state == .noSuchBoard)
        motherboard.register { slot in Still<Dashboard>(slot: slot) }
        motherboard.register { slot in Still<URLPicker>(slot: slot) }
        motherboard.register { slot in Still<FAQ>(slot: slot) }
        motherboard.register { slot in Still<X>(slot: slot) }
        motherboard.register { slot in Still<Feed<Int>>(slot: slot) }
        motherboard.register { slot in Still<Feed<String>>(slot: slot) }
        motherboard.register { slot in Still<Overview>(slot: slot) }
        for _ in 0..<2 {
            motherboard.activate(Dashboard.id)
            motherboard.activate(URLPicker.id)
            motherboard.activate(FAQ.id)
            motherboard.activate(X.id)
            motherboard.activate(Feed<Int>.id)
            motherboard.activate(Feed<String>.id)
            motherboard.activate(Overview.id)
            let names = ["dashboard", "urlPicker", "faq", "x", "feed<Swift.Int>", "feed<Swift.String>"]
            #expect(motherboard.snapshot().ids.map(\.name) == names + ["dashboardOverview"])
        }
        #expect(!motherboard.isLive(other))
    }

    @Test func `the ID of a contract whose name belongs to another contract finds no board`() {
        let motherboard = Motherboard.onMain()
        motherboard.register(BoardID<FAQ>("dashboard")) { slot in Still<FAQ>(slot: slot) }
        for _ in 0..<2 { #expect(motherboard.activate(Dashboard.id).state == .noSuchBoard) }
    }

    @Test func `a board registered without an ID has the ID of its contract`() {
        let motherboard = Motherboard.onMain()
        motherboard.register { ProbeBoard<Outer.Contract>(slot: $0) }
        motherboard.register { slot in Still<Dashboard>(slot: slot) }
        motherboard.register { slot, _ in Still<Overview>(slot: slot) }
        motherboard.register(inside: Dashboard.id) { slot, _ in Still<X>(slot: slot) }
        #expect(motherboard.graph().scopes == [AnyBoardID(Dashboard.id)])
        motherboard.activate(Dashboard.id)
        motherboard.activate(X.id)
        motherboard.activate(Outer.Contract.id)
        motherboard.activate(Overview.id)
        #expect(motherboard.snapshot().ids.map(\.name) == ["dashboard", "outer.Contract", "dashboardOverview"])
        #expect(motherboard.isLive(X.id))
    }
}
