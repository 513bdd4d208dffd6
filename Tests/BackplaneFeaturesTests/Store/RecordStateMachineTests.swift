import TestSupport
import Testing

@testable import BackplaneFeatures

/// The effects of mutations on a record: A1–A6, A11, A12.
struct RecordStateMachineTests {
    private var machine = TextMachine.showing(["base"])

    private var visible: [String]? {
        mutating get { machine.visible.value }
    }

    @Test(.rule("A1")) mutating func `the visible value is the server state with all mutations applied in order`() {
        _ = machine.append(.append("a"))
        _ = machine.append(.append("b"))
        #expect(visible == ["base", "a", "b"])
    }

    @Test(.rule("A1")) mutating func `each pending mutation is applied once, and again only after a change`() {
        var folds = 0
        for _ in 0..<10 {
            _ = machine.append(
                Mutation(
                    .edit { texts in
                        folds += 1
                        texts.append("x")
                    }
                )
            )
        }
        // Each mutation folds once. The first folds once more before its send, to check that it
        // applies to the server state.
        #expect(folds == 11)
        _ = visible
        _ = visible
        #expect(folds == 11)
        machine.load(["newer"])
        _ = visible
        #expect(folds == 11)
    }

    @Test(.rule("A2")) mutating func `a mutation is visible before any other event`() {
        let mutation = Mutation.append("a")
        #expect(text(machine.append(mutation), ["a": mutation]) == ["send a"])
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A3")) mutating func `a record sends its mutations one at a time, in order`() {
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        let names = ["a": a, "b": b]
        #expect(text(machine.append(a), names) == ["send a"])
        #expect(text(machine.append(b), names) == [])
        #expect(text(machine.acknowledge(b.id), names) == [])
        #expect(text(machine.acknowledge(a.id), names) == ["a acknowledged", "send b"])
        #expect(text(machine.acknowledge(b.id), names) == ["b acknowledged", "reload"])
    }

    @Test(.rule("A3"))
    mutating func `a queued set is replaced by the next set of the same target, and both share an outcome`() {
        let (a, b, c, d) = (Mutation.set("a"), Mutation.set("b"), Mutation.set("c"), Mutation.append("d"))
        let names = ["a": a, "b": b, "c": c, "d": d]
        #expect(text(machine.append(a), names) == ["send a"])
        _ = machine.append(b)
        _ = machine.append(c)
        #expect(machine.log.count == 2)
        #expect(visible == ["c"])
        _ = machine.append(d)
        _ = machine.append(.set("e"))
        #expect(machine.log.count == 4)
        #expect(text(machine.acknowledge(a.id), names) == ["a acknowledged", "send c"])
        #expect(text(machine.acknowledge(c.id), names) == ["b,c acknowledged", "send d"])
    }

    @Test(.rule("A4")) mutating func `a rejection removes only the rejected mutation`() {
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        let names = ["a": a, "b": b]
        _ = machine.append(a)
        _ = machine.append(b)
        #expect(text(machine.reject(a.id, Refused()), names) == ["a rejected", "send b"])
        #expect(visible == ["base", "b"])
        #expect(machine.failures.map(\.id) == [a.id])
        machine.dismiss(a.id)
        #expect(machine.failures.isEmpty)
    }

    @Test(.rule("A4")) mutating func `a mutation that depends on a rejected mutation fails without being sent`() {
        let a = Mutation.append("a")
        let b = Mutation.append("b", after: [a.id])
        let c = Mutation.append("c", after: [b.id])
        let d = Mutation.append("d")
        let names = ["a": a, "b": b, "c": c, "d": d]
        for mutation in [a, b, c, d] { _ = machine.append(mutation) }
        #expect(
            text(machine.reject(a.id, Refused()), names)
                == ["a rejected", "b dependencyFailed", "c dependencyFailed", "send d"]
        )
        #expect(visible == ["base", "d"])
        let late = Mutation.append("late", after: [c.id])
        #expect(text(machine.append(late), ["late": late]) == ["late dependencyFailed"])
        #expect(visible == ["base", "d"])
    }

    @Test(.rule("A4")) mutating func `a mutation that finds nothing to change fails at once`() {
        let mutation = Mutation.remove("a")
        #expect(text(machine.append(mutation), ["a": mutation]) == ["a targetMissing"])
        #expect(visible == ["base"])
        #expect(machine.log.isEmpty)
    }

    @Test(.rule("A4")) mutating func `a mutation that finds nothing any longer is hidden and not sent`() {
        let (a, b, c) = (Mutation.append("a"), Mutation.remove("a"), Mutation.append("c"))
        let names = ["a": a, "b": b, "c": c]
        for mutation in [a, b, c] { _ = machine.append(mutation) }
        #expect(visible == ["base", "c"])
        #expect(text(machine.reject(a.id, Refused()), names) == ["a rejected", "b targetMissing", "send c"])
        #expect(visible == ["base", "c"])
    }

    @Test(.rule("A6"))
    mutating func `the value of a response becomes the server state in the step that removes the mutation`() {
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        let names = ["a": a, "b": b]
        _ = machine.append(a)
        _ = machine.append(b)
        #expect(visible == ["base", "a", "b"])
        let effects = machine.acknowledge(a.id, with: .value(["base", "A"]), revision: 2)
        #expect(text(effects, names) == ["a acknowledged", "send b"])
        #expect(visible == ["base", "A", "b"])
        #expect(text(machine.acknowledge(b.id, with: .value(["base", "A", "B"])), names) == ["b acknowledged"])
        #expect(visible == ["base", "A", "B"])
    }

    @Test(.rule("A6")) mutating func `a partial response replaces the intent and needs no reload`() {
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        let names = ["a": a, "b": b]
        _ = machine.append(a)
        _ = machine.append(b)
        #expect(visible == ["base", "a", "b"])
        #expect(
            text(machine.acknowledge(a.id, with: .part { $0.append("A") }), names) == ["a acknowledged", "send b"]
        )
        #expect(visible == ["base", "A", "b"])
        struct NoSuchPart: Error {}
        let effects = machine.acknowledge(b.id, with: .part { _ in throw NoSuchPart() })
        #expect(text(effects, names) == ["b acknowledged", "reload"])
        #expect(visible == ["base", "A", "b"])
    }

    @Test(.rule("A6")) func `a partial response without a loaded value needs a reload`() {
        let machine = RecordStateMachine<[String]>()
        let a = Mutation.append("a")
        _ = machine.append(a)
        #expect(text(machine.acknowledge(a.id, with: .part { $0.append("A") })) == ["? acknowledged", "reload"])
    }

    @Test mutating func `if a failed mutation is made again, it is no longer listed as a failure`() {
        let a = Mutation.append("a")
        _ = machine.append(a)
        _ = machine.reject(a.id, Refused())
        #expect(machine.failures.count == 1)
        _ = machine.append(a)
        #expect(machine.failures.isEmpty)
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A6")) mutating func `a response is ignored if its revision is older than that of the server state`() {
        machine.load(["new"], revision: 5)
        let a = Mutation.append("a")
        _ = machine.append(a)
        _ = machine.acknowledge(a.id, with: .value(["old"]), revision: 4)
        #expect(visible == ["new"])
    }

    @Test(.rule("A6")) mutating func `a response without a value applies the intent, and a reload follows`() {
        let a = Mutation.append("a")
        _ = machine.append(a)
        #expect(text(machine.acknowledge(a.id), ["a": a]) == ["a acknowledged", "reload"])
        #expect(visible == ["base", "a"])
    }

    @Test(.rule("A11")) mutating func `a load that began before a deletion ended does not bring the record back`() {
        machine.load(["one"], revision: 1)
        let deletion = Mutation.delete()
        _ = machine.append(deletion)
        #expect(visible == nil)
        machine.load(["one"], revision: 2)
        #expect(visible == nil)
        let early = machine.beginLoad()
        #expect(text(machine.acknowledge(deletion.id)) == ["? acknowledged"])
        #expect(text(machine.finish(early, with: ["one"], revision: 3)) == [])
        #expect(visible == nil)
        machine.load(["somebody else's"], revision: 4)
        #expect(visible == ["somebody else's"])
    }

    @Test(.rule("A11")) mutating func `a deleted record is not reloaded and cannot be edited`() {
        let deletion = Mutation.delete()
        _ = machine.append(deletion)
        #expect(text(machine.append(.append("a"))) == ["? targetMissing"])
        #expect(text(machine.acknowledge(deletion.id)) == ["? acknowledged"])
        #expect(visible == nil)
        _ = machine.append(.create("new"))
        #expect(visible == ["new"])
    }

    @Test(.rule("A11")) mutating func `a merged record takes over the queued mutations of the other record`() {
        let made = TextMachine()
        let (creation, a, b, c) = (
            Mutation.create("draft"), Mutation.append("a"), Mutation.append("b"), Mutation.append("c")
        )
        let names = ["creation": creation, "a": a, "b": b, "c": c]
        for mutation in [creation, a] { _ = made.append(mutation) }
        for mutation in [b, c] { _ = machine.append(mutation) }
        #expect(text(machine.adopt(made, acknowledging: a.id, with: ["made"]), names) == [], "Mutation a was not sent.")
        let effects = machine.adopt(made, acknowledging: creation.id, with: ["made"])
        #expect(text(effects, names) == ["creation acknowledged"], "A send is already open.")
        #expect(visible == ["base", "b", "c", "a"], "The loaded value is newer than the response.")
        #expect(text(machine.acknowledge(b.id), names) == ["b acknowledged", "send c"])
        #expect(text(machine.acknowledge(c.id), names) == ["c acknowledged", "send a"])
        #expect(text(machine.reject(a.id, Refused()), names) == ["a rejected", "reload"])
        #expect(visible == ["base", "b", "c"])
    }

    @Test(.rule("A11")) func `a merged record without a known value takes the value of the response`() {
        let (machine, made) = (TextMachine(), TextMachine())
        let (creation, a) = (Mutation.create("draft"), Mutation.append("a"))
        for mutation in [creation, a] { _ = made.append(mutation) }
        let effects = machine.adopt(made, acknowledging: creation.id, with: ["made"])
        #expect(text(effects, ["creation": creation, "a": a]) == ["creation acknowledged", "send a"])
        #expect(machine.visible.value == ["made", "a"])
    }

    @Test(.rule("A11"))
    mutating func `a deleted record stays deleted after a merge and takes over failures and a needed reload`() {
        let made = TextMachine()
        let (deletion, creation, a) = (Mutation.delete(), Mutation.create("draft"), Mutation.append("a"))
        _ = machine.append(deletion)
        _ = machine.acknowledge(deletion.id)
        let again = Mutation.create("draft")
        for mutation in [creation, again, a] { _ = made.append(mutation) }
        _ = made.reject(creation.id, Refused())
        #expect(!made.refresh() || true)
        let effects = machine.adopt(made, acknowledging: again.id, with: ["made"])
        #expect(text(effects, ["again": again, "a": a]) == ["again acknowledged", "a targetMissing", "reload"])
        #expect(visible == nil)
        #expect(machine.failures.map(\.id) == [creation.id, a.id])
    }

    @Test(.rule("A12")) mutating func `mutation failures are tracked separately from load failures`() {
        let a = Mutation.append("a")
        _ = machine.append(a)
        _ = machine.reject(a.id, Refused())
        #expect(machine.loadError == nil)
        machine.fail(machine.beginLoad(), Refused())
        #expect(machine.loadError is Refused)
        #expect(machine.failures.count == 1)
        #expect(visible == ["base"])
        machine.load(["base"])
        #expect(machine.loadError == nil)
        #expect(machine.failures.count == 1)
    }

    @Test mutating func `a new session starts empty and discards late results of the previous session`() {
        let logicalClock = LogicalClock()
        machine = TextMachine(logicalClock: logicalClock)
        machine.load(["base"])
        let late = machine.beginLoad()
        let (a, b) = (Mutation.append("a"), Mutation.append("b"))
        _ = machine.append(a)
        _ = machine.append(b)
        logicalClock.beginEpoch()
        #expect(text(machine.beginEpoch(), ["a": a, "b": b]) == ["a,b sessionEnded"])
        #expect(visible == nil)
        #expect(!machine.isLoading)
        #expect(text(machine.finish(late, with: ["base"])) == [])
        #expect(text(machine.acknowledge(a.id, with: .value(["base", "a"]))) == [])
        #expect(visible == nil)
        #expect(text(machine.beginEpoch()) == [])
        machine.load(["theirs"])
        #expect(visible == ["theirs"])
    }

    @Test func `a load of the previous session does not change a record of the new session`() {
        let logicalClock = LogicalClock()
        let late = logicalClock.startLoad()
        logicalClock.beginEpoch()
        let machine = TextMachine(logicalClock: logicalClock)
        _ = machine.finish(late, with: ["theirs"])
        #expect(machine.visible.value == nil)
    }

    @Test(.rule("A24")) mutating func `assignments merge only if their dependencies are equal`() {
        let (a, other) = (Mutation.append("a"), Mutation.append("other"))
        let (b, c) = (Mutation.set("b"), Mutation.set("c", after: [a.id]))
        let d = Mutation.set("d", after: [a.id])
        for mutation in [a, other, b, c, d] { _ = machine.append(mutation) }
        let names = ["a": a, "other": other, "b": b, "c": c, "d": d]
        #expect(
            text(machine.reject(a.id, Refused()), names) == ["a rejected", "c,d dependencyFailed", "send other"]
        )
        #expect(machine.visible.value == ["b"])
    }
}
