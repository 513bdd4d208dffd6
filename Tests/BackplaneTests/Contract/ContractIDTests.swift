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
