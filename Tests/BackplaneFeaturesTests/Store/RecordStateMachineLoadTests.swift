import TestSupport
import Testing

@testable import BackplaneFeatures

/// The effects of loads on a record with mutations: A7–A10, C7.
struct RecordStateMachineLoadTests {
    private var machine = TextMachine.showing(["base"])

    private var visible: [String]? {
        mutating get { machine.visible.value }
    }

    @Test(.rule("A7")) mutating func `after a partial response, the revision is not used`() {
        let a = Mutation.append("a")
        let early = machine.beginLoad()
        _ = machine.append(a)
        _ = machine.acknowledge(a.id, with: .part { $0.append("A") })
        // The revision is at least that of the server state. The load can still be from before the
        // server performed the mutation.
        #expect(text(machine.finish(early, with: ["base"], revision: 9)) == ["reload"])
        #expect(visible == ["base", "A"])
    }

    @Test(.rule("A7")) mutating func `if a load arrives during a send, its revision decides after the send`() {
        machine.load(["one"], revision: 1)
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["one", "a", "b"], revision: 3)
        #expect(visible == ["one", "a"])
        #expect(text(machine.acknowledge(a.id, with: .value(["one", "a"]), revision: 2)) == ["? acknowledged"])
        #expect(visible == ["one", "a", "b"])
    }

    @Test(.rule("A7")) mutating func `a load is discarded if its revision is older than that of the server state`() {
        machine.load(["three"], revision: 3)
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["two"], revision: 2)
        #expect(text(machine.acknowledge(a.id, with: .value(["three", "a"]), revision: 4)) == ["? acknowledged"])
        machine.load(["three"], revision: 3)
        #expect(visible == ["three", "a"])
    }

    @Test(.rule("A7")) mutating func `after a load without a revision, an older revision is discarded`() {
        machine.load(["five"], revision: 5)
        machine.load(["since"])
        machine.load(["four"], revision: 4)
        #expect(visible == ["since"])
    }

    @Test(.rule("A7")) mutating func `after a response without a value, the revision is not used`() {
        machine.load(["one"], revision: 1)
        let a = Mutation.append("a")
        _ = machine.append(a)
        // A write of another client, read before the server performed our mutation.
        machine.load(["one", "b"], revision: 2)
        #expect(text(machine.acknowledge(a.id)) == ["? acknowledged", "reload"])
        #expect(visible == ["one", "a"])
        machine.load(["one", "b", "a"], revision: 3)
        #expect(visible == ["one", "b", "a"])
    }

    @Test(.rule("A7"))
    mutating func `without revisions, a load during a send is discarded, and a reload follows`() {
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["base"])
        #expect(visible == ["base", "a"])
        #expect(text(machine.acknowledge(a.id, with: .value(["base", "a"]))) == ["? acknowledged", "reload"])
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A7"))
    mutating func `without revisions, a load from before a settlement is discarded, and a reload follows`() {
        let early = machine.beginLoad()
        let a = Mutation.append("a")
        _ = machine.append(a)
        #expect(text(machine.acknowledge(a.id, with: .value(["base", "a"]))) == ["? acknowledged"])
        #expect(text(machine.finish(early, with: ["base"])) == ["reload"])
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A7")) mutating func `the newest of several loads during a send is kept`() {
        machine.load(["one"], revision: 1)
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["two"], revision: 2)
        machine.load(["three"], revision: 3)
        _ = machine.reject(a.id, Refused())
        #expect(visible == ["three"])
    }

    @Test(.rule("A8")) mutating func `the load that began last changes the record, and an older load does not`() {
        let (older, newer) = (machine.beginLoad(), machine.beginLoad())
        #expect(text(machine.finish(newer, with: ["newer"])) == [])
        #expect(text(machine.finish(older, with: ["older"])) == [])
        #expect(visible == ["newer"])
    }

    @Test(.rule("A8"))
    mutating func `an older load changes the record until a newer load arrives, and does not end the loading state`() {
        let (older, newer) = (machine.beginLoad(), machine.beginLoad())
        _ = machine.finish(older, with: ["older"])
        #expect(visible == ["older"])
        #expect(machine.isLoading)
        machine.fail(older, Refused())
        machine.cancel(older)
        #expect(machine.isLoading)
        machine.fail(newer, Refused())
        #expect(!machine.isLoading)
        #expect(visible == ["older"])
    }

    @Test(.rule("A7", "A10"))
    func `the last settlement of a record decides about a page that began before the record existed`() {
        let logicalClock = LogicalClock()
        let page = logicalClock.startLoad()
        let machine = TextMachine(logicalClock: logicalClock)
        let creation = Mutation.create("new")
        _ = machine.append(creation)
        #expect(text(machine.acknowledge(creation.id, with: .value(["new"]))) == ["? acknowledged"])
        #expect(text(machine.finish(page, with: ["old"])) == ["reload"])
        #expect(machine.visible.value == ["new"])
        _ = machine.finish(logicalClock.startLoad(), with: ["newer"])
        #expect(machine.visible.value == ["newer"])
    }

    @Test(.rule("A7", "A10"))
    func `the last settlement of a record decides about a page that began before the record's release`() {
        let logicalClock = LogicalClock()
        let page = logicalClock.startLoad()
        var machine = TextMachine(logicalClock: logicalClock)
        let creation = Mutation.create("new")
        _ = machine.append(creation)
        _ = machine.acknowledge(creation.id, with: .value(["new"]))
        machine = TextMachine(logicalClock: logicalClock, lastSettlement: machine.lastSettlement)
        #expect(text(machine.finish(page, with: ["old"])) == ["reload"])
        #expect(machine.visible.value == nil)
    }

    @Test(.rule("A8", "A10")) func `a page and a load change a record in the order in which they began`() {
        let logicalClock = LogicalClock()
        let machine = TextMachine(logicalClock: logicalClock)
        let older = machine.beginLoad()
        let page = logicalClock.startLoad()
        _ = machine.finish(page, with: ["page"])
        #expect(machine.isLoading, "The page does not end the record's own load.")
        _ = machine.finish(older, with: ["older"])
        #expect(machine.visible.value == ["page"])
        #expect(!machine.isLoading)
    }

    @Test(.rule("A9", "A10"))
    func `a discarded page starts a reload if only an older load is running`() {
        let logicalClock = LogicalClock()
        let machine = TextMachine(logicalClock: logicalClock)
        _ = machine.beginLoad()
        let page = logicalClock.startLoad()
        let creation = Mutation.create("new")
        _ = machine.append(creation)
        _ = machine.acknowledge(creation.id, with: .value(["new"]))
        // The older load does not count as a reload: it would not write, because the newer page has
        // arrived.
        #expect(text(machine.finish(page, with: ["old"])) == ["reload"])
    }

    @Test(.rule("A9")) mutating func `when the last mutation is settled, a single reload follows`() {
        let mutations = ["a", "b", "c"].map { Mutation.append($0) }
        for mutation in mutations { _ = machine.append(mutation) }
        let reloads = mutations.flatMap { text(machine.acknowledge($0.id)) }.filter { $0 == "reload" }
        #expect(reloads.count == 1)
    }

    @Test(.rule("A9"))
    mutating func `a rejection also causes a reload, and a later confirmed value causes no second reload`() {
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        _ = machine.append(a)
        #expect(text(machine.reject(a.id, Refused())) == ["? rejected", "reload"])
        _ = machine.append(b)
        #expect(text(machine.acknowledge(b.id, with: .value(["base", "b"]))) == ["? acknowledged"])
    }

    @Test(.rule("A9")) mutating func `a discarded load starts no reload if a newer load is running`() {
        let early = machine.beginLoad()
        let a = Mutation.append("a")
        _ = machine.append(a)
        #expect(text(machine.acknowledge(a.id)) == ["? acknowledged", "reload"])
        let reload = machine.beginLoad()
        #expect(text(machine.finish(early, with: ["base"])) == [])
        _ = machine.finish(reload, with: ["base", "a"])
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A9")) mutating func `a needed reload waits until no mutation is pending`() {
        #expect(text(machine.expectReload()) == ["reload"])
        let a = Mutation.append("a")
        _ = machine.append(a)
        #expect(text(machine.expectReload()) == [])
        #expect(text(machine.acknowledge(a.id, with: .value(["base", "a"]))) == ["? acknowledged", "reload"])
    }

    @Test(.rule("C7")) mutating func `a load from before the last settlement is not joined`() {
        #expect(!machine.canJoinLoad)
        _ = machine.beginLoad()
        #expect(machine.canJoinLoad)
        let a = Mutation.append("a")
        _ = machine.append(a)
        // A load that arrives now is judged after the send, and a new load would be judged the same
        // way.
        #expect(machine.canJoinLoad)
        _ = machine.acknowledge(a.id, with: .value(["base", "a"]))
        #expect(!machine.canJoinLoad)
    }
}
