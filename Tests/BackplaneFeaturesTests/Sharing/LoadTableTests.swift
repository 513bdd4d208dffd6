import Testing

@testable import BackplaneFeatures

/// C2–C11, step by step: keys, callers and answers are words.
struct LoadTableTests {
    private typealias Table = LoadTable<String, String, String>

    /// A table, with the loads that it has had started, in order.
    private struct Run {
        var table: Table
        var started: [Table.Load] = []
        var cancelled: [Int] = []
        var escalated: [TaskPriority] = []
        var lingering: [(Table.Load, Int)] = []

        init(lingers: Bool = false) {
            table = Table(lingers: lingers)
        }

        mutating func have(_ effects: [Table.Effect]) {
            for effect in effects {
                switch effect {
                case .start(let load, _, _): started.append(load)
                case .escalate(_, let priority): escalated.append(priority)
                case .cancel(let load): cancelled += started.indices.filter { started[$0] == load }
                case .linger(let load, let desertion): lingering.append((load, desertion))
                }
            }
        }

        mutating func join(_ key: String = "a", priority: TaskPriority = .medium) -> Table.Place {
            let (place, effects) = table.join(key, priority: priority)
            have(effects)
            return place
        }

        mutating func wait(_ name: String, for key: String = "a", priority: TaskPriority = .medium) -> Table.Place {
            let place = join(key, priority: priority)
            #expect(table.wait(place, name) == nil)
            return place
        }

        mutating func reload(_ name: String, priority: TaskPriority = .medium) -> Table.Place {
            let (place, effects) = table.reload("a", priority: priority)
            have(effects)
            #expect(table.wait(place, name) == nil)
            return place
        }

        mutating func leave(_ place: Table.Place) -> String? {
            let (waiter, effects) = table.leave(place, with: "left")
            have(effects)
            return waiter
        }

        mutating func finish(_ load: Int) -> Set<String> {
            Set(table.finish(started[load], with: "answer"))
        }
    }

    @Test func `callers of one key share a load, those of another have their own, and all are resumed once`() {
        var run = Run()
        _ = run.wait("ada")
        _ = run.wait("grace")
        _ = run.wait("emmy", for: "b")
        #expect(run.started.count == 2)
        #expect(run.finish(0) == ["ada", "grace"])
        #expect(run.finish(0) == [])
        #expect(run.finish(1) == ["emmy"])
        #expect(run.table.isEmpty)
    }

    @Test func `C2: one who gives up is resumed alone, and the load goes on for the others`() {
        var run = Run()
        let ada = run.wait("ada")
        _ = run.wait("grace")
        #expect(run.leave(ada) == "ada")
        #expect(run.cancelled.isEmpty)
        #expect(run.leave(ada) == nil)
        #expect(run.finish(0) == ["grace"])
    }

    @Test func `C3: a load becomes as urgent as the most urgent caller, and no less`() {
        var run = Run()
        _ = run.wait("ada", priority: .low)
        _ = run.wait("grace", priority: .high)
        _ = run.wait("emmy", priority: .medium)
        #expect(run.escalated == [.high])
    }

    @Test func `C3: a load that supersedes is as urgent as those who wait already`() {
        var run = Run()
        _ = run.wait("ada", priority: .high)
        let (_, effects) = run.table.reload("a", priority: .low)
        let priorities = effects.compactMap { effect in
            if case .start(_, _, let priority) = effect { priority } else { nil }
        }
        #expect(priorities == [.high])
        let (_, later) = run.table.reload("a", priority: .userInitiated)
        #expect(!later.contains { if case .escalate = $0 { true } else { false } })
    }

    @Test func `C4, C5: the last one takes the load along, and who comes later starts afresh`() {
        var run = Run()
        let ada = run.wait("ada")
        let grace = run.wait("grace")
        _ = run.leave(ada)
        #expect(run.cancelled == [])
        _ = run.leave(grace)
        #expect(run.cancelled == [0])
        #expect(run.table.isEmpty)
        _ = run.wait("emmy")
        #expect(run.started.count == 2)
        #expect(run.finish(0) == [])
        #expect(run.finish(1) == ["emmy"])
    }

    @Test func `C4: a load that lingers can be joined again, and its earlier end is forgotten then`() {
        var run = Run(lingers: true)
        let ada = run.wait("ada")
        _ = run.leave(ada)
        #expect(run.cancelled == [])
        let grace = run.wait("grace")
        #expect(run.started.count == 1)
        run.have(run.table.endLinger(run.lingering[0].0, run.lingering[0].1))
        #expect(run.cancelled == [])
        _ = run.leave(grace)
        // The first linger's end says nothing of the second.
        run.have(run.table.endLinger(run.lingering[0].0, run.lingering[0].1))
        #expect(run.cancelled == [])
        run.have(run.table.endLinger(run.lingering[1].0, run.lingering[1].1))
        #expect(run.cancelled == [0])
        #expect(run.table.isEmpty)
    }

    @Test func `C4: a load that lingers may end meanwhile, and one that nobody can join does not linger`() {
        var run = Run(lingers: true)
        _ = run.leave(run.wait("ada"))
        #expect(run.finish(0) == [])
        #expect(run.table.isEmpty)
        let grace = run.wait("grace")
        run.have(run.table.invalidate("a"))
        _ = run.leave(grace)
        #expect(run.cancelled == [1])
        _ = run.leave(run.wait("emmy"))
        run.have(run.table.invalidate("a"))
        #expect(run.cancelled == [1, 2])
        #expect(run.table.isEmpty)
    }

    @Test func `C6: who gives up, or is answered, before waiting has the answer at once`() {
        var run = Run()
        let ada = run.join()
        let grace = run.join()
        #expect(run.leave(ada) == nil)
        #expect(run.table.wait(ada, "ada") == "left")
        #expect(run.finish(0) == [])
        #expect(run.leave(grace) == nil)
        #expect(run.table.wait(grace, "grace") == "answer")
        #expect(run.table.isEmpty)
    }

    @Test func `C7: a load from before an invalidation is not joined, and answers those who waited for it`() {
        var run = Run()
        _ = run.wait("ada")
        _ = run.wait("emmy", for: "b")
        run.have(run.table.invalidate("a"))
        _ = run.wait("grace")
        _ = run.wait("hedy", for: "b")
        #expect(run.started.count == 3)
        #expect(run.finish(2) == ["grace"])
        #expect(run.finish(0) == ["ada"])
        #expect(run.finish(1) == ["emmy", "hedy"])
        #expect(run.table.isEmpty)
    }

    @Test func `C7: the end of an invalidated load leaves the one that came after it open`() {
        var run = Run()
        _ = run.wait("ada")
        run.have(run.table.invalidate("a"))
        _ = run.wait("grace")
        _ = run.finish(0)
        _ = run.wait("emmy")
        #expect(run.started.count == 2)
        #expect(run.finish(1) == ["grace", "emmy"])
    }

    @Test func `C1: everything can be invalidated at once`() {
        var run = Run()
        _ = run.wait("ada")
        _ = run.wait("emmy", for: "b")
        run.have(run.table.invalidateAll())
        _ = run.wait("grace")
        _ = run.wait("hedy", for: "b")
        #expect(run.started.count == 4)
    }

    @Test func `C8: a reload takes the place of a load, and takes its callers over`() {
        var run = Run()
        let ada = run.wait("ada")
        _ = run.reload("grace")
        #expect(run.cancelled == [0])
        #expect(run.started.count == 2)
        #expect(run.finish(0) == [])
        _ = run.wait("emmy")
        #expect(run.started.count == 2)
        #expect(run.leave(ada) == "ada")
        #expect(run.finish(1) == ["grace", "emmy"])
        #expect(run.table.isEmpty)
    }

    @Test func `C8: a reload without anything under way is a load`() {
        var run = Run()
        _ = run.reload("grace")
        #expect(run.cancelled.isEmpty)
        #expect(run.finish(0) == ["grace"])
    }
}
