import BackplaneTesting
import Observation
import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B57"))
@MainActor struct ContributionTests {
    private let motherboard = Motherboard.onMain()

    @Test func `contributions are sorted by order, and with equal orders by registration`() {
        for (title, order) in [("c", 3), ("a1", 1), ("b", 2), ("a2", 1), ("first", -5), ("zero", 0)] {
            motherboard.contribute(to: .tiles, order: order) { title }
        }
        motherboard.contribute(to: .tiles) { "zero too" }
        #expect(motherboard.contributions(to: .tiles) == ["first", "zero", "zero too", "a1", "a2", "b", "c"])
    }

    @Test func `each reading makes a new value`() {
        var count = 0
        motherboard.contribute(to: .counts) {
            count += 1
            return count
        }
        #expect(count == 0)
        #expect(motherboard.contributions(to: .counts) == [1])
        #expect(motherboard.contributions(to: .counts) == [2])
    }

    @Test func `nested motherboards inherit contributions, outer ones first, and their own stay inside`() {
        let inner = motherboard.makeInner()
        inner.contribute(to: .tiles, order: 1) { "inner" }
        motherboard.contribute(to: .tiles, order: 1) { "outer" }
        inner.contribute(to: .tiles) { "inner first" }
        #expect(inner.contributions(to: .tiles) == ["inner first", "outer", "inner"])
        #expect(motherboard.contributions(to: .tiles) == ["outer"])
    }

    @Test func `removing a registration removes its contribution once`() {
        motherboard.contribute(to: .tiles) { "stays" }
        let token = motherboard.contribute(to: .tiles) { "goes" }
        motherboard.remove(token)
        motherboard.remove(token)
        #expect(motherboard.contributions(to: .tiles) == ["stays"])
    }

    @Test func `contributions of a board end with the board, and an ended board contributes nothing`() {
        let board = motherboard.enter(.words, with: "")
        board.slot.contribute(to: .tiles) { "words" }
        #expect(motherboard.contributions(to: .tiles) == ["words"])
        board.complete()
        board.slot.contribute(to: .tiles) { "late" }
        #expect(motherboard.contributions(to: .tiles) == [])
    }

    @Test func `a completed motherboard has no contributions and releases their closures`() {
        var object: Account? = Account("ada")
        let weak = Weak(object)
        motherboard.contribute(to: .tiles) { [object] in object?.name ?? "" }
        object = nil
        #expect(motherboard.contributions(to: .tiles) == ["ada"])
        motherboard.complete()
        motherboard.contribute(to: .tiles) { "late" }
        #expect(motherboard.contributions(to: .tiles) == [])
        #expect(weak.object == nil)
    }

    @Test func `contributions inside a scope are visible outside while the scope is live`() {
        let campus = Campus(motherboard)
        motherboard.contribute(to: .tiles, order: 1) { "catalog" }
        campus.onSession = { board, account in
            board.inner.contribute(to: .tiles, order: 2) { "settings of \(account.name)" }
            board.inner.contribute(to: .tiles, order: 0) { "courses of \(account.name)" }
        }
        #expect(motherboard.contributions(to: .tiles) == ["catalog"])
        motherboard.activate(.session, with: Account("ada"))
        let all = ["courses of ada", "catalog", "settings of ada"]
        #expect(motherboard.contributions(to: .tiles) == all)
        #expect(campus.sessions[0].inner.contributions(to: .tiles) == all)
        motherboard.activate(.organization, with: "acme")
        #expect(motherboard.contributions(to: .tiles) == all)
        motherboard.activate(.session, with: Account("eve"))
        #expect(motherboard.contributions(to: .tiles) == ["courses of eve", "catalog", "settings of eve"])
        motherboard.complete(.session)
        #expect(motherboard.contributions(to: .tiles) == ["catalog"])
    }

    @Test func `readers are notified when contributions are added or removed`() {
        let changes = Watched(0)
        func read(at motherboard: Motherboard) -> [String] {
            withObservationTracking {
                motherboard.contributions(to: .tiles)
            } onChange: {
                changes.update { $0 += 1 }
            }
        }
        let campus = Campus(motherboard)
        campus.onSession = { board, _ in board.inner.contribute(to: .tiles) { "inside" } }
        #expect(read(at: motherboard) == [])
        motherboard.contribute(to: .counts) { 1 }
        #expect(changes.value == 0)
        let token = motherboard.contribute(to: .tiles) { "outside" }
        #expect(changes.value == 1)
        #expect(read(at: motherboard) == ["outside"])
        motherboard.remove(token)
        #expect(changes.value == 2)
        #expect(read(at: motherboard) == [])
        motherboard.activate(.session, with: Account("ada"))
        #expect(changes.value == 3)
        #expect(read(at: motherboard) == ["inside"])
        motherboard.complete(.session)
        #expect(changes.value == 4)
        #expect(read(at: motherboard) == [])
    }

    #if os(macOS) || os(Linux)
        @Test func `two contribution types with the same name trap`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    let motherboard = Motherboard.onMain()
                    motherboard.contribute(to: .tiles) { "" }
                    motherboard.contribute(to: ContributionPoint<Int>("tiles")) { 1 }
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Two types share the contribution point 'tiles'"))
        }
    #endif

    @Test func `the graph counts contributions`() {
        motherboard.contribute(to: .tiles) { "a" }
        motherboard.contribute(to: .tiles) { "b" }
        #expect(motherboard.graph().points.map { "\($0.name) \($0.count)" } == ["tiles 2"])
        #expect(motherboard.graph().mermaid.contains("{{\"tiles × 2\"}}"))
        #expect(motherboard.graph().dot.contains("label=\"tiles × 2\", shape=hexagon"))
    }
}

extension ContributionPoint<String> {
    fileprivate static var tiles: Self { "tiles" }
}

extension ContributionPoint<Int> {
    fileprivate static var counts: Self { "counts" }
}
