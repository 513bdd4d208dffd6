import TestSupport
import Testing

@testable import BackplaneFeatures

/// What loads do to a record that has mutations: A7–A10, C7.
struct RecordStateMachineLoadTests {
    private var machine = TextMachine.showing(["base"])

    private var visible: [String]? {
        mutating get { machine.visible.value }
    }

    @Test(.rule("A7")) mutating func `a revision tells nothing after a part of the entity`() {
        let a = Mutation.append("a")
        let early = machine.beginLoad()
        _ = machine.append(a)
        _ = machine.acknowledge(a.id, with: .part { $0.append("A") })
        // It has the revision of the base or a later one, and may be from before the server acted all the same.
        #expect(text(machine.finish(early, with: ["base"], revision: 9)) == ["reload"])
        #expect(visible == ["base", "A"])
    }

    @Test(.rule("A7")) mutating func `a load that lands while a send is open is judged by its revision afterwards`() {
        machine.load(["one"], revision: 1)
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["one", "a", "b"], revision: 3)
        #expect(visible == ["one", "a"])
        #expect(text(machine.acknowledge(a.id, with: .value(["one", "a"]), revision: 2)) == ["? acknowledged"])
        #expect(visible == ["one", "a", "b"])
    }

    @Test(.rule("A7")) mutating func `a load older than the base by its revision is dropped`() {
        machine.load(["three"], revision: 3)
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["two"], revision: 2)
        #expect(text(machine.acknowledge(a.id, with: .value(["three", "a"]), revision: 4)) == ["? acknowledged"])
        machine.load(["three"], revision: 3)
        #expect(visible == ["three", "a"])
    }

    @Test(.rule("A7")) mutating func `a load without a revision does not make one of an older revision newer`() {
        machine.load(["five"], revision: 5)
        machine.load(["since"])
        machine.load(["four"], revision: 4)
        #expect(visible == ["since"])
    }

    @Test(.rule("A7")) mutating func `a revision tells nothing after an acknowledgement without an entity`() {
        machine.load(["one"], revision: 1)
        let a = Mutation.append("a")
        _ = machine.append(a)
        // Somebody else's write, read before ours was carried out.
        machine.load(["one", "b"], revision: 2)
        #expect(text(machine.acknowledge(a.id)) == ["? acknowledged", "reload"])
        #expect(visible == ["one", "a"])
        machine.load(["one", "b", "a"], revision: 3)
        #expect(visible == ["one", "b", "a"])
    }

    @Test(.rule("A7"))
    mutating func `without revisions, a load that a send was open in is discarded, and a reload follows`() {
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

    @Test(.rule("A7")) mutating func `of several loads that land while a send is open, the newest is kept`() {
        machine.load(["one"], revision: 1)
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["two"], revision: 2)
        machine.load(["three"], revision: 3)
        _ = machine.reject(a.id, Refused())
        #expect(visible == ["three"])
    }

    @Test(.rule("A8")) mutating func `the load that began last writes, and an older one does not`() {
        let (older, newer) = (machine.beginLoad(), machine.beginLoad())
        #expect(text(machine.finish(newer, with: ["newer"])) == [])
        #expect(text(machine.finish(older, with: ["older"])) == [])
        #expect(visible == ["newer"])
    }

    @Test(.rule("A8"))
    mutating func `an older load writes as long as no newer one has landed, and is not the end of loading`() {
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

    @Test(.rule("A7", "A10")) func `a page that began before the record was there is judged by its last settlement`() {
        let counter = LogicalClock()
        let page = counter.startLoad()
        let machine = TextMachine(counter: counter)
        let creation = Mutation.create("new")
        _ = machine.append(creation)
        #expect(text(machine.acknowledge(creation.id, with: .value(["new"]))) == ["? acknowledged"])
        #expect(text(machine.finish(page, with: ["old"])) == ["reload"])
        #expect(machine.visible.value == ["new"])
        _ = machine.finish(counter.startLoad(), with: ["newer"])
        #expect(machine.visible.value == ["newer"])
    }

    @Test(.rule("A7", "A10"))
    func `a page that began before the record was let go of is judged by its last settlement as well`() {
        let counter = LogicalClock()
        let page = counter.startLoad()
        var machine = TextMachine(counter: counter)
        let creation = Mutation.create("new")
        _ = machine.append(creation)
        _ = machine.acknowledge(creation.id, with: .value(["new"]))
        machine = TextMachine(counter: counter, lastSettlement: machine.lastSettlement)
        #expect(text(machine.finish(page, with: ["old"])) == ["reload"])
        #expect(machine.visible.value == nil)
    }

    @Test(.rule("A8", "A10")) func `a page and a load of the record itself write in the order in which they began`() {
        let counter = LogicalClock()
        let machine = TextMachine(counter: counter)
        let older = machine.beginLoad()
        let page = counter.startLoad()
        _ = machine.finish(page, with: ["page"])
        #expect(machine.isLoading, "It does not end the record's own load.")
        _ = machine.finish(older, with: ["older"])
        #expect(machine.visible.value == ["page"])
        #expect(!machine.isLoading)
    }

    @Test(.rule("A9", "A10"))
    func `a page that has to be discarded starts a reload if only an older load is under way`() {
        let counter = LogicalClock()
        let machine = TextMachine(counter: counter)
        _ = machine.beginLoad()
        let page = counter.startLoad()
        let creation = Mutation.create("new")
        _ = machine.append(creation)
        _ = machine.acknowledge(creation.id, with: .value(["new"]))
        // It would not write when it lands, since the page has landed, so it is no reload.
        #expect(text(machine.finish(page, with: ["old"])) == ["reload"])
    }

    @Test(.rule("A9")) mutating func `one reload follows when the log is empty, not one for each settlement`() {
        let mutations = ["a", "b", "c"].map { Mutation.append($0) }
        for mutation in mutations { _ = machine.append(mutation) }
        let reloads = mutations.flatMap { text(machine.acknowledge($0.id)) }.filter { $0 == "reload" }
        #expect(reloads.count == 1)
    }

    @Test(.rule("A9")) mutating func `a rejection is followed by a reload as well, and what is done is not done again`()
    {
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        _ = machine.append(a)
        #expect(text(machine.reject(a.id, Refused())) == ["? rejected", "reload"])
        _ = machine.append(b)
        #expect(text(machine.acknowledge(b.id, with: .value(["base", "b"]))) == ["? acknowledged"])
    }

    @Test(.rule("A9")) mutating func `a load that has to be discarded starts no reload if a newer one is under way`() {
        let early = machine.beginLoad()
        let a = Mutation.append("a")
        _ = machine.append(a)
        #expect(text(machine.acknowledge(a.id)) == ["? acknowledged", "reload"])
        let reload = machine.beginLoad()
        #expect(text(machine.finish(early, with: ["base"])) == [])
        _ = machine.finish(reload, with: ["base", "a"])
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A9")) mutating func `a reason to reload waits until nothing is pending`() {
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
        // Whatever lands now is judged later; another load would fare no better.
        #expect(machine.canJoinLoad)
        _ = machine.acknowledge(a.id, with: .value(["base", "a"]))
        #expect(!machine.canJoinLoad)
    }
}
