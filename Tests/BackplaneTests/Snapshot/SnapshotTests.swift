import BackplaneTesting
import Foundation
import TestSupport
import Testing

@testable import Backplane

@MainActor
struct SnapshotTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    /// Returns the motherboard of a new process, with registered boards and no live ones.
    private func fresh(_ register: (Motherboard) -> Void) -> Motherboard {
        let motherboard = Motherboard.onMain()
        register(motherboard)
        return motherboard
    }

    private func registerBoards(on motherboard: Motherboard) {
        let journal = journal
        motherboard.probe(.words, reuse: .perActivation) { _, input in journal.note("words \(input)") }
        motherboard.probe(.first) { board, input in
            journal.note("first \(input)")
            board.inner.register(.second, replacing: true) { slot in
                ProbeBoard(slot: slot, onActivate: { _, input in journal.note("second \(input)") })
            }
        }
        motherboard.probe(.doorkeeper) { _, _ in journal.note("doorkeeper") }
    }

    private func coded(_ snapshot: BoardSnapshot) throws -> BoardSnapshot {
        try JSONDecoder().decode(BoardSnapshot.self, from: JSONEncoder().encode(snapshot))
    }

    private func lines(_ snapshot: BoardSnapshot) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(snapshot), as: UTF8.self)
    }

    @Test(.rule("B43"))
    func `a snapshot has the live boards with their latest input in the order of latest activation`() throws {
        registerBoards(on: motherboard)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.doorkeeper)
        motherboard.activate(.words, with: "b")
        let gone = motherboard.activate(.words, with: "gone")
        motherboard.activate(.first, with: 2)
        gone.complete()
        #expect(
            try lines(motherboard.snapshot()) == """
                {"boards":[{"board":"words","input":"a"},{"board":"doorkeeper"},{"board":"words","input":"b"},\
                {"board":"first","input":2}]}
                """
        )
    }

    @Test(.rule("B43")) func `restoring activates the same boards again, nested boards included`() throws {
        registerBoards(on: motherboard)
        let nested = try #require(nest(in: motherboard))
        nested.activate(.second, with: 5)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.words, with: "a")
        let snapshot = try coded(motherboard.snapshot())
        #expect(snapshot == motherboard.snapshot())
        let before = journal.lines.count

        let other = fresh(registerBoards)
        #expect(other.restore(snapshot).isEmpty)
        #expect(journal.lines.dropFirst(before) == ["first 1", "second 5", "words a", "words a"])
        #expect(other.snapshot() == snapshot)
    }

    private func nest(in motherboard: Motherboard) -> Motherboard? {
        let activation = motherboard.activate(.first, with: 1)
        return activation.anyLiveBoard?.nestedMotherboard()
    }

    @Test(.rule("B43")) func `inputs of all types are restored, including nil`() throws {
        struct Form: Codable, Hashable {
            var name = "Ada"
            var age: Int? = 36
            var big = UInt64.max
            var half = 0.5
            var flags = [true, false]
            var nested = ["a": ["b": Int64.min]]
        }
        enum Forms: BoardContract { typealias Input = Form }
        enum Perhaps: BoardContract { typealias Input = Int? }
        var forms: [Form] = []
        var perhaps: [Int?] = []
        let register: (Motherboard) -> Void = { motherboard in
            motherboard.probe(BoardID<Forms>("forms")) { _, input in forms.append(input) }
            motherboard.probe(BoardID<Perhaps>("perhaps"), reuse: .perActivation) { _, input in perhaps.append(input) }
        }
        register(motherboard)
        motherboard.activate(BoardID<Forms>("forms"), with: Form())
        motherboard.activate(BoardID<Perhaps>("perhaps"), with: nil)
        motherboard.activate(BoardID<Perhaps>("perhaps"), with: 1)
        let snapshot = motherboard.snapshot()
        #expect(fresh(register).restore(try coded(snapshot)).isEmpty)
        #expect(forms == [Form(), Form()])
        #expect(perhaps == [nil, 1, nil, 1])
        let list = try PropertyListEncoder().encode(snapshot)
        #expect(try PropertyListDecoder().decode(BoardSnapshot.self, from: list) == snapshot, "the same without JSON")
    }

    @Test(.rule("B43"))
    func `a board that cannot be restored is in the snapshot with the reason and is reported`() async throws {
        struct Opaque {}
        enum Opaques: BoardContract { typealias Input = Opaque }
        enum Infinite: BoardContract { typealias Input = Double }
        let register: (Motherboard) -> Void = { motherboard in
            motherboard.probe(BoardID<Opaques>("opaque")) { board, _ in
                board.inner.activate(.words, with: "inside")
            }
            motherboard.probe(BoardID<Infinite>("infinite"))
            self.registerBoards(on: motherboard)
        }
        register(motherboard)
        motherboard.activate(BoardID<Opaques>("opaque"), with: Opaque())
        motherboard.activate(BoardID<Infinite>("infinite"), with: .infinity)
        let asking = Task { try await motherboard.result(of: .words, with: "asked") }
        while !journal.lines.contains("words asked") { await Task.yield() }
        motherboard.activate(.words, with: "a")

        let snapshot = try coded(motherboard.snapshot())
        #expect(
            try lines(snapshot) == """
                {"boards":[{"board":"opaque","inside":[{"board":"words","input":"inside"}],"obstacle":"inputNotCodable"},\
                {"board":"infinite","obstacle":"inputNotCodable"},\
                {"board":"words","input":"asked","obstacle":"awaited"},{"board":"words","input":"a"}]}
                """
        )
        #expect(
            fresh(register).restore(snapshot).map(\.description) == [
                "opaque: inputNotCodable", "opaque/words: outsideMissing", "infinite: inputNotCodable",
                "words: awaited",
            ]
        )
        asking.cancel()
        _ = await asking.result
    }

    @Test(.rule("B43")) func `an unregistered board and a changed input type are reported`() throws {
        registerBoards(on: motherboard)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.doorkeeper)
        let snapshot = motherboard.snapshot()

        let other = fresh { motherboard in
            motherboard.probe(BoardID<Numbers>("words"))
            motherboard.registerFlow(from: .first) { _, _ in }
        }
        #expect(
            other.restore(snapshot).map(\.description) == [
                "first: noSuchBoard", "words: inputUnreadable", "doorkeeper: noSuchBoard",
            ]
        )
        other.complete()
        #expect(other.restore(snapshot).map(\.obstacle) == [.outsideMissing, .inputUnreadable, .noSuchBoard])
    }

    @Test(.rule("B43"))
    func `a waiting activation is in the snapshot instead of its gate board and waits again`() throws {
        let register: (Motherboard) -> Void = { motherboard in
            self.registerBoards(on: motherboard)
            motherboard.gate(.words, by: .doorkeeper) { $0 ? .open : .closed }
        }
        register(motherboard)
        motherboard.activate(.words, with: "a")
        motherboard.activate(.words, with: "b").complete()
        motherboard.activate(.words, with: "c")
        let snapshot = try coded(motherboard.snapshot())
        #expect(
            try lines(snapshot) == """
                {"boards":[{"board":"words","gate":"doorkeeper","input":"a"},{"board":"words","gate":"doorkeeper","input":"c"}]}
                """
        )
        let other = fresh(register)
        #expect(other.restore(snapshot).isEmpty)
        #expect(other.snapshot() == snapshot)
        #expect(journal.lines == ["doorkeeper", "doorkeeper"])
    }

    @Test(.rule("B43")) func `a board that a restored board activates is not restored twice`() throws {
        let register: (Motherboard) -> Void = { motherboard in
            motherboard.probe(.words, reuse: .perActivation) { _, input in self.journal.note(input) }
            motherboard.probe(.first) { board, input in board.nextToBoard(.words, with: "\(input)") }
        }
        register(motherboard)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.words, with: "1")
        #expect(journal.lines == ["1", "1"])
        let other = fresh(register)
        #expect(other.restore(motherboard.snapshot()).isEmpty)
        #expect(journal.lines == ["1", "1", "1", "1"], "the first board activates one, and the snapshot restores one")
        #expect(other.snapshot() == motherboard.snapshot())
    }

    @Test(.rule("B43"))
    func `an encodable input is retained by its board or a handle, and other inputs are released`() {
        final class Held: Codable {}
        final class Opaque {}
        enum Holding: BoardContract { typealias Input = Held }
        enum Hiding: BoardContract { typealias Input = Opaque }
        motherboard.probe(BoardID<Holding>("holding"))
        motherboard.probe(BoardID<Hiding>("hiding"))
        var held: Held? = Held()
        var opaque: Opaque? = Opaque()
        let weakHeld = Weak(held)
        let weakOpaque = Weak(opaque)
        var activation: Activation<Holding>?
        if let held, let opaque {
            activation = motherboard.activate(BoardID<Holding>("holding"), with: held)
            motherboard.activate(BoardID<Hiding>("hiding"), with: opaque)
        }
        held = nil
        opaque = nil
        #expect(weakHeld.object != nil)
        #expect(weakOpaque.object == nil)
        activation?.complete()
        activation = nil
        #expect(weakHeld.object == nil)
    }

    @Test(.rule("B43")) func `when a replaced input is released, its deinitializer can read the new input`() throws {
        final class Looking: Codable {
            var name = ""
            var atEnd: () -> Void = {}

            init(_ name: String) { self.name = name }
            deinit { atEnd() }

            private enum CodingKeys: CodingKey { case name }
        }
        struct Pair: Codable {
            var first: Looking
            var second = "second"
        }
        enum Lookings: BoardContract { typealias Input = Pair }
        motherboard.probe(BoardID<Lookings>("looking"))
        var seen: [String] = []
        func activate(_ name: String) {
            let looking = Looking(name)
            looking.atEnd = { seen.append((try? lines(motherboard.snapshot())) ?? "") }
            motherboard.activate(BoardID<Lookings>("looking"), with: Pair(first: looking))
        }
        activate("a")
        activate("b")
        #expect(
            seen == [#"{"boards":[{"board":"looking","input":{"first":{"name":"b"},"second":"second"}}]}"#]
        )
        motherboard.complete()
    }

    @Test(.rule("B43")) func `decoding rejects an invalid snapshot`() {
        for text in ["{}", "[]", #"{"boards":[{}]}"#, #"{"boards":[{"board":1}]}"#, "nonsense"] {
            #expect(throws: (any Error).self, "\(text)") {
                try JSONDecoder().decode(BoardSnapshot.self, from: Data(text.utf8))
            }
        }
    }

    @Test(.rule("B43")) func `numbers are restored with all their digits`() throws {
        struct Sum: Codable, Hashable {
            var long = Decimal(string: "12345678901234567890123.456789")
            var third = Decimal(1) / 3
            var short = Decimal(string: "0.1")
            var tiny = Double.leastNonzeroMagnitude
            var huge = Double.greatestFiniteMagnitude
            var numbers = [0.1, 1 / 3, 1e20, 1.2345678901234567e-120, .pi]
            var integers = [UInt64.max, 10_000_000_000_000_000_000, 10_000_000_000_000_000]
            var date = Date(timeIntervalSinceReferenceDate: 1.1)
        }
        enum Sums: BoardContract { typealias Input = Sum }
        var sums: [Sum] = []
        let register: (Motherboard) -> Void = { motherboard in
            motherboard.probe(BoardID<Sums>("sums")) { _, input in sums.append(input) }
        }
        register(motherboard)
        motherboard.activate(BoardID<Sums>("sums"), with: Sum())
        #expect(fresh(register).restore(try coded(motherboard.snapshot())).isEmpty)
        #expect(sums == [Sum(), Sum()])
    }

    @Test(.rule("B43"))
    func `restoring makes a new board, even if a private board is live`() async throws {
        let asked = Asked<Words>()
        motherboard.probe(.words, notedIn: asked)
        motherboard.activate(.words, with: "a")
        let snapshot = motherboard.snapshot()
        motherboard.complete(.words)
        let asking = Task { try await motherboard.result(of: .words, with: "a") }
        let board = await asked.board(1)
        #expect(motherboard.restore(snapshot).isEmpty)
        #expect(asked.inputs == ["a", "a", "a"])
        board.send("answer")
        #expect(try await asking.value == "answer")
    }

    @Test(.rule("B43")) func `a result that waits at a gate is in the snapshot with the reason`() async throws {
        let doorkeeper = Asked<Doorkeeper>()
        motherboard.probe(.words) { board, input in board.send(input) }
        motherboard.probe(.doorkeeper, notedIn: doorkeeper)
        motherboard.gate(.words, by: .doorkeeper) { $0 ? .open : .closed }
        let asking = Task { try await motherboard.result(of: .words, with: "asked") }
        let keeper = await doorkeeper.board(0)
        #expect(
            try lines(motherboard.snapshot()) == """
                {"boards":[{"board":"words","gate":"doorkeeper","input":"asked","obstacle":"awaited"}]}
                """
        )
        keeper.send(true)
        #expect(try await asking.value == "asked")
    }

    @Test(.rule("B43")) func `restoring makes no empty nested motherboard`() {
        registerBoards(on: motherboard)
        motherboard.activate(.words, with: "a")
        let other = fresh(registerBoards)
        #expect(other.restore(motherboard.snapshot()).isEmpty)
        #expect(other.graph().insides.isEmpty)
    }

    @Test(.rule("B43")) func `a gate that does not open denies a restored board`() throws {
        registerBoards(on: motherboard)
        motherboard.activate(.words, with: "a")
        let snapshot = motherboard.snapshot()
        let other = fresh { motherboard in
            motherboard.probe(.words)
            motherboard.probe(.doorkeeper) { board, _ in board.complete() }
            motherboard.gate(.words, by: .doorkeeper) { $0 ? .open : .closed }
        }
        #expect(other.restore(snapshot).map(\.description) == ["words: denied"])
    }
}
