import TestSupport
import Testing

@testable import BackplaneFeatures

/// C3–C11, step by step.
struct LoadStateMachineTests {
    /// A table of loads, with the loads it has started in order.
    private final class Run {
        var table: LoadStateMachine<String>
        private(set) var started: [LoadNumber] = []
        private(set) var cancelled: [Int] = []
        private(set) var escalated: [TaskPriority] = []
        private(set) var lingering: [(load: LoadNumber, idleGeneration: Int)] = []

        init(lingers: Bool = false) {
            table = LoadStateMachine(lingers: lingers)
        }

        func have(_ effects: [LoadEffect]) {
            for effect in effects {
                switch effect {
                case .start(let load, _): started.append(load)
                case .escalate(_, let priority): escalated.append(priority)
                case .cancel(let load): cancelled += started.indices.filter { started[$0] == load }
                case .linger(let load, let idleGeneration): lingering.append((load, idleGeneration))
                }
            }
        }

        @discardableResult
        func join(_ key: String = "a", priority: TaskPriority = .medium) -> LoadGroup {
            let (caller, effects) = table.join(key, priority: priority)
            have(effects)
            return caller.group
        }

        @discardableResult
        func reload(priority: TaskPriority = .medium) -> LoadGroup {
            let (caller, effects) = table.reload("a", priority: priority)
            have(effects)
            return caller.group
        }

        /// Returns the number that the caller knows afterward.
        @discardableResult
        func refresh(after lastKnown: Int) -> Int {
            let (caller, effects) = table.refresh("a", after: lastKnown, priority: .medium)
            have(effects)
            return caller.number
        }

        func end(_ group: LoadGroup) {
            have(table.end("a", group))
        }

        func leave(_ group: LoadGroup) {
            have(table.leave("a", group))
        }

        func invalidate() {
            have(table.invalidate("a"))
        }

        func endLinger(_ number: Int) {
            have(table.endLinger("a", lingering[number].load, lingering[number].idleGeneration))
        }

        func finish(_ load: Int, of key: String = "a") -> Bool {
            table.finish(key, started[load])
        }
    }

    @Test func `callers of the same key share a load, and callers of another key have their own load`() {
        let run = Run()
        let groups = [run.join(), run.join(), run.join("b")].map(\.number)
        #expect(groups[0] == groups[1])
        #expect(groups[0] != groups[2])
        #expect(run.started.count == 2)
        #expect(run.finish(0))
        #expect(run.finish(1, of: "b"))
        #expect(run.table.isEmpty)
    }

    @Test(.rule("C3")) func `a superseding load has the highest priority of its waiting callers and its own caller`() {
        let run = Run()
        run.join(priority: .high)
        let (_, effects) = run.table.reload("a", priority: .low)
        guard case .start(_, .high) = effects.first else {
            Issue.record("The first effect is no start with high priority: \(effects).")
            return
        }
        #expect(effects.count == 2)
        let other = Run()
        other.join(priority: .low)
        other.reload(priority: .high)
        #expect(other.escalated == [.high])
    }

    @Test func `if a caller leaves after the end of a load, nothing changes`() {
        let run = Run()
        let group = run.join()
        #expect(run.finish(0))
        run.join()
        run.leave(group)
        #expect(run.cancelled == [])
        #expect(run.table.callerCount == 1)
    }

    @Test(.rule("C4")) func `a lingering load can be joined again, and the end of its earlier linger has no effect`() {
        let run = Run(lingers: true)
        let group = run.join()
        run.leave(group)
        #expect(run.cancelled == [])
        let same = run.join()
        #expect(same === group)
        run.endLinger(0)
        #expect(run.cancelled == [])
        run.leave(group)
        // The end of the first linger does not affect the second linger.
        run.endLinger(0)
        #expect(run.cancelled == [])
        run.endLinger(1)
        #expect(run.cancelled == [0])
        #expect(run.table.isEmpty)
    }

    @Test(.rule("C4")) func `a load without callers can finish by itself`() {
        let run = Run(lingers: true)
        run.leave(run.join())
        #expect(run.finish(0))
        #expect(run.table.isEmpty)
        run.endLinger(0)
        #expect(run.cancelled == [])
    }

    @Test(.rule("C4")) func `a load that cannot be joined does not linger`() {
        let run = Run(lingers: true)
        let group = run.join()
        run.invalidate()
        run.leave(group)
        #expect(run.cancelled == [0])
        run.leave(run.join())
        run.invalidate()
        #expect(run.cancelled == [0, 1])
        #expect(run.table.isEmpty)
    }

    @Test(.rule("C7")) func `a load from before an invalidation cannot be joined, but still ends for its callers`() {
        let run = Run()
        let old = run.join()
        run.join("b")
        run.invalidate()
        let next = run.join()
        #expect(next !== old)
        run.join("b")
        #expect(run.started.count == 3)
        #expect(run.finish(0))
        // The end of the old load leaves the newer load open.
        run.join()
        #expect(run.started.count == 3)
        #expect(run.finish(2))
        #expect(run.finish(1, of: "b"))
        #expect(run.table.isEmpty)
    }

    @Test(.rule("A30")) func `refreshes of one signal share a load that replaces the hanging load`() {
        let run = Run()
        let callers = (1...3).map { _ in run.table.join("a", priority: .medium) }
        for (_, effects) in callers { run.have(effects) }
        let first = callers.map { run.refresh(after: $0.0.number) }
        #expect(run.started.count == 2)
        #expect(run.cancelled == [0])
        // The new load hangs until the next signal.
        for lastKnown in first.reversed() { run.refresh(after: lastKnown) }
        #expect(run.started.count == 3)
        #expect(run.cancelled == [0, 1])
        #expect(run.finish(2))
    }

    @Test(.rule("A14")) func `when a session ends, its group loses its load, and other groups keep their loads`() {
        let run = Run()
        let group = run.join()
        run.join("b")
        run.end(group)
        #expect(run.cancelled == [0])
        #expect(run.started.map(run.table.isCurrent) == [false, true])
        #expect(!run.finish(0))
        // Ending the group again does not affect the newer group.
        run.join()
        run.end(group)
        #expect(run.cancelled == [0])
        #expect(run.finish(2))
    }

    @Test(.rule("A14")) func `endAll ends all groups, including groups that cannot be joined any longer`() {
        let run = Run()
        let closed = run.join()
        run.invalidate()
        let open = run.join()
        #expect(Set(run.table.endAll().map(\.number)) == [closed.number, open.number])
        #expect(run.table.isEmpty)
        #expect(!run.finish(0))
        #expect(!run.finish(1))
    }
}
