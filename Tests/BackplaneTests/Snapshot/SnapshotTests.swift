import BackplaneTesting
import Foundation
import Testing

@testable import Backplane

@MainActor
struct SnapshotTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    /// Another process: the same boards, nothing live.
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
            board.motherboard.register(.second, replacing: true) { slot in
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

    @Test func `B43: what is live is there with its latest input, in the order of the latest activations`() throws {
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

    @Test func `B43: restoring activates the same again, also what is inside`() throws {
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
        return activation.anyCore?.nestedMotherboard()
    }

    @Test func `B43: inputs of all shapes come back, nothing and null among them`() throws {
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
        #expect(fresh(register).restore(try coded(motherboard.snapshot())).isEmpty)
        #expect(forms == [Form(), Form()])
        #expect(perhaps == [nil, 1, nil, 1])
    }

    @Test func `B43: what cannot be written down is in the snapshot with the reason, and reported`() async throws {
        struct Opaque {}
        enum Opaques: BoardContract { typealias Input = Opaque }
        enum Infinite: BoardContract { typealias Input = Double }
        let register: (Motherboard) -> Void = { motherboard in
            motherboard.probe(BoardID<Opaques>("opaque")) { board, _ in
                board.motherboard.activate(.words, with: "inside")
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

    @Test func `B43: what is not registered any more, or takes something else now, is reported`() throws {
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

    @Test func `B43: who waits at a gate is there instead of the gate, and waits again`() throws {
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
                {"boards":[{"board":"words","input":"a","waiting":true},{"board":"words","input":"c","waiting":true}]}
                """
        )
        let other = fresh(register)
        #expect(other.restore(snapshot).isEmpty)
        #expect(other.snapshot() == snapshot)
        #expect(journal.lines == ["doorkeeper", "doorkeeper"])
    }

    @Test func `B43: a closed gate denies what is restored`() throws {
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

    @Test func `B43: what a restored board activates by itself is not activated twice`() throws {
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
        #expect(journal.lines == ["1", "1", "1", "1"], "one by itself, one more that was there")
        #expect(other.snapshot() == motherboard.snapshot())
    }

    @Test func `B43: an input is remembered with its board or a handle on it, if it can be written down`() {
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

    @Test func `B43: an input that is replaced may look at what replaces it`() throws {
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

    @Test func `B43: a snapshot from elsewhere that is none is refused by decoding`() {
        for text in ["{}", "[]", #"{"boards":[{}]}"#, #"{"boards":[{"board":1}]}"#, "nonsense"] {
            #expect(throws: (any Error).self, "\(text)") {
                try JSONDecoder().decode(BoardSnapshot.self, from: Data(text.utf8))
            }
        }
    }
}
