import TestSupport
import Testing

@testable import BackplaneFeatures

private typealias Machine = PageStateMachine<Int, String>

/// Returns its argument, because the testing macros expand mutating calls only as arguments.
private func some<T>(_ value: T) -> T { value }

struct PageStateMachineTests {
    private let logicalClock: LogicalClock
    private var machine: Machine

    init() {
        logicalClock = LogicalClock()
        machine = Machine(logicalClock: logicalClock)
    }

    private mutating func load(_ purpose: Machine.Purpose, _ ids: [String], next: Int? = nil) throws {
        let request = try #require(some(machine.begin(purpose)))
        #expect(some(machine.finish(request, with: ids, next: next)) == nil)
    }

    @Test(.rule("A10")) mutating func `each page starts where the previous page ended`() throws {
        #expect(some(machine.begin(.more)) == nil, "The cursor of the next page is not known yet.")
        #expect(!machine.hasMore)
        let first = try #require(some(machine.begin(.first)))
        #expect(first.cursor == nil)
        #expect(some(machine.begin(.more)) == nil, "A load is running.")
        _ = machine.finish(first, with: ["a", "b"], next: 2)
        #expect(machine.hasMore)
        let second = try #require(some(machine.begin(.more)))
        #expect(second.cursor == 2)
        _ = machine.finish(second, with: ["c"], next: nil)
        #expect(machine.ids == ["a", "b", "c"])
        #expect(!machine.hasMore)
        #expect(some(machine.begin(.more)) == nil, "The list has no more pages.")
    }

    @Test(.rule("A10")) mutating func `a duplicate ID appears once, at its first position`() throws {
        try load(.first, ["a", "b", "a"], next: 2)
        try load(.more, ["b", "c"])
        #expect(machine.ids == ["a", "b", "c"])
    }

    @Test(.rule("A10")) mutating func `a page of an old generation is discarded`() throws {
        try load(.first, ["a"], next: 1)
        let old = try #require(some(machine.begin(.more)))
        let new = try #require(some(machine.begin(.first)))
        #expect(some(machine.finish(old, with: ["b"], next: 2)) == nil)
        machine.fail(old, Failure())
        #expect(machine.ids == ["a"])
        #expect(machine.error == nil)
        #expect(machine.isLoading)
        _ = machine.finish(new, with: ["x"], next: nil)
        #expect(machine.ids == ["x"])
        #expect(some(machine.finish(new, with: ["y"], next: nil)) == nil)
        #expect(machine.ids == ["x"])
    }

    @Test mutating func `a list stays while a new list loads, and after the new load fails`() throws {
        try load(.first, ["a"], next: 1)
        let request = try #require(some(machine.begin(.first)))
        #expect(machine.ids == ["a"])
        machine.fail(request, Failure())
        #expect(machine.ids == ["a"])
        #expect(machine.error is Failure)
        #expect(machine.failedPurpose == .first)
        try load(.more, ["b"])
        #expect(machine.ids == ["a", "b"])
        #expect(machine.error == nil)
    }

    @Test mutating func `a running or failed load of the next page counts as paging`() throws {
        #expect(!machine.isPaging)
        try load(.first, ["a"], next: 1)
        #expect(!machine.isPaging)
        let next = try #require(some(machine.begin(.more)))
        #expect(machine.isPaging)
        machine.fail(next, Failure())
        #expect(machine.isPaging)
        _ = machine.begin(.first)
        #expect(!machine.isPaging)
        machine.cancel()
        #expect(machine.isPaging, "The state is the same as before the load.")
        try load(.more, ["b"])
        #expect(!machine.isPaging)
    }

    @Test(.rule("A9"))
    mutating func `a refresh loads the current length and shows no page before the last page arrives`() throws {
        try load(.first, ["a", "b"], next: 2)
        try load(.more, ["c", "d"], next: 4)
        let first = try #require(some(machine.begin(.refresh)))
        let second = try #require(some(machine.finish(first, with: ["z", "a"], next: 2)))
        #expect(second.cursor == 2)
        #expect(machine.ids == ["a", "b", "c", "d"])
        #expect(machine.needs("z"))
        #expect(!machine.contains("z"))
        #expect(machine.replacement == first.load.number)
        #expect(some(machine.finish(first, with: ["late"], next: 2)) == nil)
        #expect(some(machine.finish(second, with: ["b", "c", "d"], next: 4)) == nil)
        #expect(machine.ids == ["z", "a", "b", "c", "d"])
        #expect(machine.replacement == nil)
    }

    @Test(.rule("A9")) mutating func `a refresh ends where the list ends`() throws {
        try load(.first, ["a", "b"])
        try load(.refresh, ["a"])
        #expect(machine.ids == ["a"])
    }

    @Test mutating func `a refresh also loads the page that was being loaded`() throws {
        try load(.first, ["a"], next: 1)
        _ = machine.begin(.more)
        let first = try #require(some(machine.begin(.refresh)))
        let second = try #require(some(machine.finish(first, with: ["a"], next: 1)))
        _ = machine.finish(second, with: ["b"], next: 2)
        #expect(machine.ids == ["a", "b"])
    }

    @Test mutating func `an inserted ID is at the start, once, until a page contains the ID`() throws {
        let (first, second) = (IdempotencyKey(), IdempotencyKey())
        try load(.first, ["a"], next: 1)
        machine.insert("x", by: first)
        machine.insert("y", by: second)
        #expect(machine.ids == ["y", "x", "a"])
        machine.insert("y", by: second)
        #expect(machine.ids == ["y", "x", "a"], "A repeated insertion does not change the list.")
        try load(.more, ["b"])
        #expect(machine.ids == ["y", "x", "a", "b"])
        try load(.first, ["a", "x"])
        #expect(machine.ids == ["y", "a", "x"])
        #expect(machine.insertion(of: "x") == first)
    }

    @Test mutating func `a confirmed insertion stays until a load that began after the confirmation ends`() throws {
        machine.insert("x", by: IdempotencyKey())
        let early = try #require(some(machine.begin(.first)))
        machine.settleInsertion(of: "x", isMade: true)
        #expect(machine.insertion(of: "x") == nil)
        _ = machine.finish(early, with: ["a"], next: 1)
        #expect(machine.ids == ["x", "a"])
        try load(.more, ["b"], next: 2)
        #expect(machine.ids == ["x", "a", "b"])
        try load(.first, ["a"])
        #expect(machine.ids == ["a"])
    }

    @Test mutating func `a rejected insertion disappears unless a page contains the ID`() throws {
        try load(.first, ["a"])
        machine.insert("x", by: IdempotencyKey())
        machine.insert("a", by: IdempotencyKey())
        #expect(machine.ids == ["x", "a"])
        machine.settleInsertion(of: "x", isMade: false)
        machine.settleInsertion(of: "a", isMade: false)
        #expect(machine.ids == ["a"])
    }

    @Test(.rule("A11"))
    mutating func `a record with a new ID keeps its position, or merges with the other one`() throws {
        try load(.first, ["a", "b", "c"])
        machine.rename("b", to: "2")
        #expect(machine.ids == ["a", "2", "c"])
        machine.rename("a", to: "c")
        #expect(machine.ids == ["2", "c"])
        machine.rename("z", to: "y")
        #expect(machine.ids == ["2", "c"])
    }

    @Test mutating func `a cancelled load changes nothing`() throws {
        let request = try #require(some(machine.begin(.first)))
        machine.cancel()
        #expect(!machine.isLoading)
        #expect(some(machine.finish(request, with: ["a"], next: nil)) == nil)
        #expect(machine.ids.isEmpty)
    }

    @Test mutating func `a new session starts empty and discards every page of the previous session`() throws {
        try load(.first, ["a"], next: 1)
        let late = try #require(some(machine.begin(.more)))
        machine.insert("x", by: IdempotencyKey())
        machine.beginEpoch()
        #expect(some(machine.finish(late, with: ["b"], next: 2)) == nil)
        #expect(machine.ids.isEmpty)
        #expect(!machine.hasLoaded)
        #expect(!machine.hasMore)
    }
}
