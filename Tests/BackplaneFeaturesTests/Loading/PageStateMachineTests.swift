import TestSupport
import Testing

@testable import BackplaneFeatures

private typealias Machine = PageStateMachine<Int, String>

/// The macros can expand calls that change something as arguments only.
private func some<T>(_ value: T) -> T { value }

struct PageStateMachineTests {
    private let counter: LogicalClock
    private var machine: Machine

    init() {
        counter = LogicalClock()
        machine = Machine(counter: counter, holdsPages: false)
    }

    private mutating func load(_ purpose: Machine.Purpose, _ ids: [String], next: Int? = nil) throws {
        let request = try #require(some(machine.begin(purpose)))
        #expect(some(machine.finish(request, with: ids, next: next)) == nil)
    }

    @Test(.rule("A10")) mutating func `pages follow one another, each from where the one before it ended`() throws {
        #expect(some(machine.begin(.more)) == nil, "Nobody knows yet where.")
        #expect(!machine.hasMore)
        let first = try #require(some(machine.begin(.first)))
        #expect(first.cursor == nil)
        #expect(some(machine.begin(.more)) == nil, "A load is under way.")
        _ = machine.finish(first, with: ["a", "b"], next: 2)
        #expect(machine.hasMore)
        let second = try #require(some(machine.begin(.more)))
        #expect(second.cursor == 2)
        _ = machine.finish(second, with: ["c"], next: nil)
        #expect(machine.ids == ["a", "b", "c"])
        #expect(!machine.hasMore)
        #expect(some(machine.begin(.more)) == nil, "There is no more.")
    }

    @Test(.rule("A10")) mutating func `what comes twice stands once, where it came first`() throws {
        try load(.first, ["a", "b", "a"], next: 2)
        try load(.more, ["b", "c"])
        #expect(machine.ids == ["a", "b", "c"])
    }

    @Test(.rule("A10")) mutating func `a page of an old generation is dropped`() throws {
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

    @Test mutating func `a list stays while a new one is loaded, and when that fails`() throws {
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

    @Test(.rule("A9")) mutating func `a refresh brings as much as is there, and none of it before the rest`() throws {
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
        #expect(some(machine.finish(second, with: ["b", "c"], next: 4)) == nil)
        #expect(machine.ids == ["z", "a", "b", "c"])
        #expect(machine.replacement == nil)
    }

    @Test(.rule("A9")) mutating func `a refresh ends where the list ends`() throws {
        try load(.first, ["a", "b"])
        try load(.refresh, ["a"])
        #expect(machine.ids == ["a"])
    }

    @Test mutating func `a refresh brings the page that it supersedes`() throws {
        try load(.first, ["a"], next: 1)
        _ = machine.begin(.more)
        let first = try #require(some(machine.begin(.refresh)))
        let second = try #require(some(machine.finish(first, with: ["a"], next: 1)))
        _ = machine.finish(second, with: ["b"], next: 2)
        #expect(machine.ids == ["a", "b"])
    }

    @Test mutating func `what is made here stands at the start, once, until a page says where it belongs`() throws {
        let (first, second) = (IdempotencyKey(), IdempotencyKey())
        try load(.first, ["a"], next: 1)
        machine.insert("x", by: first)
        machine.insert("y", by: second)
        #expect(machine.ids == ["y", "x", "a"])
        machine.insert("y", by: second)
        #expect(machine.ids == ["y", "x", "a"], "It is made once, however often that is said.")
        try load(.more, ["b"])
        #expect(machine.ids == ["y", "x", "a", "b"])
        try load(.first, ["a", "x"])
        #expect(machine.ids == ["y", "a", "x"])
        #expect(machine.insertion(of: "x") == first)
    }

    @Test mutating func `what was made here stays until a list has landed that began after it was made`() throws {
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

    @Test mutating func `what the server would not make is gone, unless a page has it`() throws {
        try load(.first, ["a"])
        machine.insert("x", by: IdempotencyKey())
        machine.insert("a", by: IdempotencyKey())
        #expect(machine.ids == ["x", "a"])
        machine.settleInsertion(of: "x", isMade: false)
        machine.settleInsertion(of: "a", isMade: false)
        #expect(machine.ids == ["a"])
    }

    @Test(.rule("A11"))
    func `while IDs may change, pages are kept aside until it is known what became of what was made`() throws {
        var machine = Machine(counter: LogicalClock(), holdsPages: true)
        machine.insert("x", by: IdempotencyKey())
        machine.insert("y", by: IdempotencyKey())
        for ids in [["a"], ["1", "a"]] {
            let request = try #require(some(machine.begin(.first)))
            #expect(some(machine.finish(request, with: ids, next: 1)) == nil)
        }
        #expect(machine.ids == ["y", "x"])
        #expect(machine.isLoading, "Nothing has landed yet.")
        #expect(machine.isHolding)
        #expect(some(machine.begin(.more)) == nil)
        machine.rename("x", to: "1")
        machine.settleInsertion(of: "1", isMade: true)
        #expect(machine.isHolding)
        machine.settleInsertion(of: "y", isMade: false)
        #expect(machine.ids == ["1", "a"])
        #expect(!machine.isLoading)
        #expect(some(machine.begin(.more))?.cursor == 1)
    }

    @Test func `what is kept aside goes with a load that is cancelled`() throws {
        var machine = Machine(counter: LogicalClock(), holdsPages: true)
        machine.insert("x", by: IdempotencyKey())
        let request = try #require(some(machine.begin(.first)))
        _ = machine.finish(request, with: ["a"], next: nil)
        machine.cancel()
        #expect(!machine.isLoading)
        machine.settleInsertion(of: "x", isMade: true)
        #expect(machine.ids == ["x"])
    }

    @Test func `what is kept aside is no load under way if there is a list to show`() throws {
        var machine = Machine(counter: LogicalClock(), holdsPages: true)
        let first = try #require(some(machine.begin(.first)))
        _ = machine.finish(first, with: ["a"], next: 1)
        machine.insert("x", by: IdempotencyKey())
        let second = try #require(some(machine.begin(.first)))
        _ = machine.finish(second, with: ["b"], next: 2)
        #expect(!machine.isLoading)
        #expect(some(machine.begin(.more)) == nil, "Where the next one begins, the one that is kept aside knows.")
        #expect(machine.ids == ["x", "a"])
        #expect(machine.needs("b"))
        machine.settleInsertion(of: "x", isMade: true)
        #expect(machine.ids == ["x", "b"])
    }

    @Test(.rule("A11")) mutating func `a record with another ID keeps its place, and takes that which it has already`()
        throws
    {
        try load(.first, ["a", "b", "c"])
        machine.rename("b", to: "2")
        #expect(machine.ids == ["a", "2", "c"])
        machine.rename("a", to: "c")
        #expect(machine.ids == ["2", "c"])
        machine.rename("z", to: "y")
        #expect(machine.ids == ["2", "c"])
    }

    @Test mutating func `a cancelled load leaves everything as it was`() throws {
        let request = try #require(some(machine.begin(.first)))
        machine.cancel()
        #expect(!machine.isLoading)
        #expect(some(machine.finish(request, with: ["a"], next: nil)) == nil)
        #expect(machine.ids.isEmpty)
    }

    @Test mutating func `another session begins with nothing, and no page of the last one lands`() throws {
        try load(.first, ["a"], next: 1)
        let late = try #require(some(machine.begin(.more)))
        machine.insert("x", by: IdempotencyKey())
        machine.beginEpoch()
        #expect(some(machine.finish(late, with: ["b"], next: 2)) == nil)
        #expect(machine.ids.isEmpty)
        #expect(!machine.hasLoaded)
        #expect(!machine.hasMore)
    }

    @Test(.rule("A17"), arguments: [false, true])
    func `a page is kept aside while another list makes a record, if IDs may change`(holdsPages: Bool) throws {
        var machine = Machine(counter: LogicalClock(), holdsPages: holdsPages)
        let request = try #require(some(machine.begin(.first)))
        machine.expectOthers(true)
        #expect(some(machine.finish(request, with: ["a", "b"], next: nil)) == nil)
        #expect(machine.isHolding == holdsPages)
        #expect(machine.isLoading == holdsPages)
        machine.rename("b", to: "2")
        machine.expectOthers(true)
        #expect(machine.isHolding == holdsPages)
        machine.expectOthers(false)
        #expect(machine.ids == ["a", "2"])
        #expect(!machine.isLoading)
    }
}
