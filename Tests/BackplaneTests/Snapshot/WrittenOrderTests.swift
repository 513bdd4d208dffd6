import BackplaneTesting
import Foundation
import TestSupport
import Testing

@testable import Backplane

private enum Role: String, Codable { case reader, writer, owner }

/// An account with parts whose written order differs between processes.
private struct Member: Codable, Equatable {
    var name = "ada"
    var roles: Set<Role> = [.reader, .writer]
    var places: [Role: Int] = [.reader: 1, .writer: 2]
    var recent = ["b", "a"]
}

/// The same account, whose type is not `Equatable`.
private final class LooseMember: Codable {
    enum Status: Codable {
        case active(Detail)
        case left
    }
    struct Detail: Codable {
        var roles: Set<Role> = [.reader, .writer]
        var places: [Role: Nothing] = [.reader: Nothing(), .writer: Nothing(note: "w")]
    }
    struct Nothing: Codable { var note: String? }
    var status = Status.active(Detail())
    var recent = ["b", "a"]
}

private enum Membership<Input>: BoardContract {}

private struct Redacted: Codable, CustomReflectable {
    var user: String
    var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

private struct Listed: Codable, CustomReflectable {
    var user: String
    var customMirror: Mirror { Mirror(self, children: ["user": user], displayStyle: .dictionary) }
}

/// A user in an enum without `Equatable` that describes all its cases alike.
private struct Vague: Codable, CustomStringConvertible {
    enum User: Codable, CustomStringConvertible {
        case ada(Nothing)
        case bob(Nothing)
        var description: String { "a user" }
    }
    struct Nothing: Codable {}
    static let ada = Vague(user: .ada(Nothing()))
    static let bob = Vague(user: .bob(Nothing()))
    var user: User
    var description: String { "a user" }
}

/// A folder that knows its parent, which is not written.
private final class Folder: Codable {
    enum CodingKeys: CodingKey { case name, children }
    var name: String
    var children: [Folder]
    weak var parent: Folder?

    init(_ name: String, _ children: [Folder] = []) {
        (self.name, self.children) = (name, children)
        for child in children { child.parent = self }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        children = try container.decode([Folder].self, forKey: .children)
        for child in children { child.parent = self }
    }
}

/// Values are compared, not the order in which they were written.
@Suite(.rule("B72"))
@MainActor struct WrittenOrderTests {
    private static let strict = BoardID<Membership<Member>>("member")
    private static let loose = BoardID<Membership<LooseMember>>("member")

    /// The forms of two values that differ only in the order of sets and dictionaries.
    nonisolated private static let orders = [
        (#"["reader","writer"]"#, #"["reader",1,"writer",2]"#), (#"["writer","reader"]"#, #"["writer",2,"reader",1]"#),
    ]

    private func snapshot(_ input: String, inside: String = "") throws -> BoardSnapshot {
        let text = #"{"boards":[{"board":"member","input":\#(input),"inside":[{"board":"first","input":1}]}]}"#
        return try JSONDecoder().decode(BoardSnapshot.self, from: Data(text.utf8))
    }

    private func written(_ order: (String, String), recent: String = #"["b","a"]"#, name: String = "ada") -> String {
        #"{"name":"\#(name)","roles":\#(order.0),"places":\#(order.1),"recent":\#(recent)}"#
    }

    private func scoped<Input>(_ id: BoardID<Membership<Input>>, _ input: Input) -> Motherboard {
        let motherboard = Motherboard.onMain()
        motherboard.register(id) { slot in
            slot.inner.probe(.first)
            return ProbeBoard(slot: slot)
        }
        motherboard.probe(.doorkeeper)
        motherboard.registerScope(id, enteredBy: .doorkeeper) { _ in nil }
        motherboard.activate(id, with: input)
        return motherboard
    }

    @Test(arguments: orders.indices)
    func `a scope is found by its input, for any order in a written set or dictionary`(index: Int) throws {
        let order = Self.orders[index]
        #expect(scoped(Self.strict, Member()).restore(try snapshot(written(order))) == [])
        for (recent, name) in [(#"["a","b"]"#, "ada"), (#"["b","a"]"#, "bob")] {
            let other = try snapshot(written(order, recent: recent, name: name))
            let missing = scoped(Self.strict, Member()).restore(other)
            #expect(missing.map(\.obstacle) == [.scopeNotEntered, .outsideMissing])
        }
    }

    @Test(arguments: orders.indices)
    func `an input that is not equatable is compared part by part`(index: Int) throws {
        let roles = Self.orders[index].0
        let places = [
            #"["reader",{},"writer",{"note":"w"}]"#, #"["writer",{"note":"w"},"reader",{}]"#,
        ]
        func written(_ places: String, _ recent: String = #"["b","a"]"#) -> String {
            #"{"status":{"active":{"_0":{"roles":\#(roles),"places":\#(places)}}},"recent":\#(recent)}"#
        }
        let motherboard = scoped(Self.loose, LooseMember())
        #expect(motherboard.restore(try snapshot(written(places[index]))) == [])
        for other in [
            written(places[index], #"["a","b"]"#), written(#"["writer",{"note":"x"},"reader",{}]"#),
            written(#"["writer",{"note":"w"}]"#), #"{"status":{"left":{}},"recent":["b","a"]}"#,
        ] {
            #expect(motherboard.restore(try snapshot(other)).first?.obstacle == .scopeNotEntered)
        }
    }

    @Test(arguments: orders.indices)
    func `a live board and a waiting activation are not activated a second time`(index: Int) throws {
        let input = written(Self.orders[index])
        let text = #"{"boards":[{"board":"member","input":\#(input)},{"board":"member","input":\#(input)}]}"#
        let snapshot = try JSONDecoder().decode(BoardSnapshot.self, from: Data(text.utf8))
        for isGated in [false, true] {
            let motherboard = Motherboard.onMain()
            motherboard.register(Self.strict, reuse: .perActivation) { ProbeBoard(slot: $0) }
            motherboard.probe(.doorkeeper)
            if isGated { motherboard.gate(Self.strict, by: .doorkeeper) { $0 ? .open : .closed } }
            motherboard.activate(Self.strict, with: Member())
            #expect(motherboard.restore(snapshot) == [])
            #expect(motherboard.snapshot().boards.count == 2)
            #expect(motherboard.restore(snapshot) == [])
            #expect(motherboard.snapshot().boards.count == 2)
        }
    }

    @Test func `values without visible parts do not count as equal`() {
        #expect(!WrittenPayload(Redacted(user: "ada")).isForm(of: Redacted(user: "bob")))
        #expect(!WrittenPayload(Listed(user: "ada")).isForm(of: Listed(user: "bob")))
        #expect(!WrittenPayload(Vague.ada).isForm(of: Vague.bob))
        #expect(WrittenPayload(Redacted(user: "ada")).isForm(of: Redacted(user: "ada")))
    }

    @Test func `a comparison of objects that refer to each other ends`() {
        #expect(!WrittenPayload(Folder("a", [Folder("b")])).isForm(of: Folder("a", [Folder("c")])))
        #expect(WrittenPayload(Folder("a", [Folder("b")])).isForm(of: Folder("a", [Folder("b")])))
    }

    @Test(arguments: orders.indices)
    func `a replay compares sets and dictionaries in any written order`(index: Int) throws {
        func app() -> Motherboard {
            let motherboard = Motherboard.onMain()
            motherboard.registerFlow(from: .first, to: Self.strict) { _ in Member() }
            return motherboard
        }
        let lines = """
            {"board":"first","kind":"activated","number":1,"payload":1,"time":0}
            {"board":"first","kind":"output","number":1,"payload":1,"time":0}
            {"board":"member","derived":true,"kind":"activated","number":2,"payload":\
            \(written(Self.orders[index])),"time":0}

            """
        let replay = app().replay(try EventLog(jsonLines: lines))
        #expect(replay.isFaithful, "\(replay)")
    }
}
