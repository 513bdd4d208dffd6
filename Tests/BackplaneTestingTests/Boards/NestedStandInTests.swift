import Backplane
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .rule("B68")) @MainActor struct NestedStandInTests {
    let test = TestMotherboard.onMain(exhaustive: false)
    var motherboard: Motherboard { test.motherboard }

    /// Registers the outer board, which registers the inner one on its own motherboard.
    private func registerOuter(replacing: Bool = false, byModule: Bool = false, _ made: @escaping () -> Void) {
        motherboard.register(Outer.id) { slot in
            let module = InsideModule(replacing: replacing, made: made)
            if byModule { slot.inner.install(module) } else { module.register(on: slot.inner) }
            return OuterBoard(slot: slot)
        }
    }

    /// Declares the inner board inside a scope that is not live.
    private func declareInsideFar() {
        motherboard.registerScope(Far.id, enteredBy: Door.id) { _ in () }
        motherboard.declare(Inside.id, inside: Far.id)
    }

    private func declareScope() {
        motherboard.registerScope(Outer.id, enteredBy: Door.id) { $0 }
        motherboard.declare(Inside.id, inside: Outer.id)
    }

    @Test(arguments: [false, true], [false, true])
    func `a stand-in replaces a board that its outer board registers`(isScope: Bool, byModule: Bool) {
        registerOuter(byModule: byModule) { Issue.record("The real board was made.") }
        if isScope { declareScope() }
        let stub = test.stub(Inside.id)
        motherboard.activate(Outer.id, with: 1)
        motherboard.send("x", to: Outer.id)
        #expect(stub.inputs == ["x"])
        test.expect(.activated(Inside.id, with: "x").inside(Outer.id))
    }

    @Test(arguments: [false, true], [false, true])
    func `a stand-in replaces a board that is registered inside already`(isScope: Bool, byModule: Bool) {
        registerOuter(byModule: byModule) { Issue.record("The real board was made.") }
        if isScope { declareScope() }
        motherboard.activate(Outer.id, with: 1)
        let stub = test.stub(Inside.id)
        motherboard.send("x", to: Outer.id)
        #expect(stub.inputs == ["x"])
    }

    @Test func `a live board stays when a stand-in is registered, and the next one is replaced`() {
        var made = 0
        registerOuter { made += 1 }
        motherboard.activate(Outer.id, with: 1)
        motherboard.send("x", to: Outer.id)
        let stub = test.stub(Inside.id)
        motherboard.send("y", to: Outer.id)
        #expect(made == 1)
        #expect(stub.inputs.isEmpty)

        motherboard.complete(Outer.id)
        motherboard.activate(Outer.id, with: 2)
        motherboard.send("z", to: Outer.id)
        #expect(made == 1)
        #expect(stub.inputs == ["z"])
    }

    @Test func `a stand-in replaces boards at every depth, with its own reuse`() {
        test.stub(Far.id) { _, slot in
            slot.inner.register(Outer.id) { slot in
                slot.inner.register(Inside.id) { InsideBoard(slot: $0) { Issue.record("The real board was made.") } }
                return OuterBoard(slot: slot)
            }
            // The motherboard in between knows the ID, and inherits the stand-in.
            slot.inner.registerCompletionFlow(Inside.id) { _, _ in }
            slot.inner.activate(Outer.id, with: 1)
            slot.inner.send("x", to: Outer.id)
            slot.inner.send("y", to: Outer.id)
        }
        let stub = test.stub(Inside.id, reuse: .perActivation)
        motherboard.activate(Far.id)
        #expect(stub.inputs == ["x", "y"])
        #expect(stub.slots.map(\.isLive) == [true, true])
    }

    @Test func `the stand-in of a board that is registered inside stays there, although a scope declares the ID`() {
        declareInsideFar()
        registerOuter { Issue.record("The real board was made.") }
        let stub = test.stub(Inside.id, reuse: .perActivation)
        motherboard.activate(Outer.id, with: 1)
        motherboard.send("x", to: Outer.id)
        // Registrations that change later do not move it.
        test.stub(Door.id)
        motherboard.send("y", to: Outer.id)
        #expect(stub.inputs == ["x", "y"])
        test.expect(
            .activated(Inside.id, with: "x").inside(Outer.id),
            .activated(Inside.id, with: "y").inside(Outer.id)
        )
    }

    @Test func `a registration inside counts although a stand-in was found there before`() {
        declareInsideFar()
        let stub = test.stub(Inside.id)
        test.stub(Outer.id) { _, slot in
            #expect(slot.inner.activate(Inside.id, with: "far").state != .active)
            slot.inner.register(Inside.id) { InsideBoard(slot: $0) { Issue.record("The real board was made.") } }
            slot.inner.activate(Inside.id, with: "here")
        }
        motherboard.activate(Outer.id, with: 1)
        #expect(stub.inputs == ["here"])
    }

    @Test(arguments: [false, true])
    func `a nested registration that replaces overrides the stand-in`(isLate: Bool) {
        var made = 0
        registerOuter(replacing: true) { made += 1 }
        if isLate { motherboard.activate(Outer.id, with: 1) }
        let stub = test.stub(Inside.id)
        motherboard.activate(Outer.id, with: 1)
        motherboard.send("x", to: Outer.id)
        #expect(made == 1)
        #expect(stub.inputs.isEmpty)
    }

    @Test func `a board that replaces the stand-in is also inside in place of the one registered there`() {
        var made = 0
        registerOuter { Issue.record("The real board was made.") }
        let stub = test.stub(Inside.id)
        motherboard.activate(Outer.id, with: 1)
        motherboard.send("x", to: Outer.id)
        stub.complete()
        for count in 1...2 {
            motherboard.register(replacing: true) { InsideBoard(slot: $0) { made += 1 } }
            motherboard.send("y", to: Outer.id)
            #expect(made == count)
            motherboard.send("end", to: Outer.id)
        }
        #expect(stub.inputs == ["x"])
    }

    @Test func `without a stand-in, a nested registration overrides that of an ancestor`() {
        var made = 0
        registerOuter { made += 1 }
        motherboard.register { InsideBoard(slot: $0) { Issue.record("The board of the ancestor was made.") } }
        motherboard.activate(Outer.id, with: 1)
        motherboard.send("x", to: Outer.id)
        #expect(made == 1)
    }
}

private enum Outer: BoardContract {
    typealias Input = Int
    typealias Command = String
}
private enum Inside: BoardContract { typealias Input = String }
private enum Far: BoardContract {}
private enum Door: BoardContract { typealias Output = Int }

private struct InsideModule: BoardModule {
    let replacing: Bool
    let made: () -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register(replacing: replacing) { InsideBoard(slot: $0, made: made) }
    }
}

private struct OuterBoard: Board {
    let slot: Slot<Outer>
    func activate(with input: Int) {}

    func receive(_ command: String) {
        if command == "end" { return inner.complete(Inside.id) }
        inner.activate(Inside.id, with: command)
    }
}

private struct InsideBoard: Board {
    let slot: Slot<Inside>
    let made: () -> Void

    init(slot: Slot<Inside>, made: @escaping () -> Void) {
        self.slot = slot
        self.made = made
        made()
    }

    func activate(with input: String) {}
}
