import Foundation
import TestSupport
import Testing

@testable import Backplane

/// A name from outside, such as from a server, that belongs to another contract ends no process.
///
/// The table has each public entry point of `API/Backplane.txt` that takes an ID and registers
/// nothing. Registration traps: see `SetupTrapTests`.
@MainActor
struct ForeignNameTests {
    /// One use of a name, which returns whether it did nothing.
    struct Use: CustomStringConvertible, Sendable {
        let description: String
        let perform: @MainActor @Sendable (Motherboard, Slot<Doorkeeper>, BoardID<Numbers>) async -> Bool

        init(
            _ description: String,
            _ perform: @escaping @MainActor @Sendable (Motherboard, Slot<Doorkeeper>, BoardID<Numbers>) async -> Bool
        ) {
            self.description = description
            self.perform = perform
        }
    }

    nonisolated static let uses = [
        Use("Motherboard.activate") { motherboard, _, id in motherboard.activate(id, with: 1).state == .noSuchBoard },
        Use("Motherboard.send") { motherboard, _, id in motherboard.send(1, to: id) == .noSuchBoard },
        Use("Motherboard.complete") { motherboard, _, id in
            motherboard.complete(id)
            return motherboard.isLive(.words)
        },
        Use("Motherboard.isLive") { motherboard, _, id in !motherboard.isLive(id) },
        Use("Motherboard.liveCount") { motherboard, _, id in motherboard.liveCount(of: id) == 0 },
        Use("Motherboard.outputs") { motherboard, _, id in
            var outputs = motherboard.outputs(of: id, with: 1).makeAsyncIterator()
            let error = await #expect(throws: BoardError.self) { try await outputs.next() }
            return error?.code == .noSuchBoard
        },
        Use("Motherboard.result") { motherboard, _, id in
            let error = await #expect(throws: BoardError.self) { try await motherboard.result(of: id, with: 1) }
            return error?.code == .noSuchBoard
        },
        Use("Motherboard.observe") { motherboard, _, id in
            let journal = Journal()
            let token = motherboard.observe(id) { _ in journal.note("seen") }
            motherboard.activate(.words, with: "")
            motherboard.remove(token)
            return journal.lines.isEmpty
        },
        Use("Slot.nextToBoard") { _, slot, id in slot.nextToBoard(id, with: 1).state == .noSuchBoard },
        Use("Slot.send") { _, slot, id in slot.send(1, to: id) == .noSuchBoard },
        Use("Slot.isLive") { _, slot, id in !slot.isLive(id) },
        Use("Slot.inner") { _, slot, id in slot.inner.activate(id, with: 1).state == .noSuchBoard },
    ]

    @Test(.rule("B75"), arguments: uses)
    func `a name of another contract is an unknown board and raises an event`(use: Use) async throws {
        let motherboard = Motherboard.onMain()
        var slot: Slot<Doorkeeper>?
        motherboard.probe(.doorkeeper) { board, _ in slot = board.slot }
        motherboard.probe(.words)
        motherboard.activate(.doorkeeper)
        motherboard.activate(.words, with: "live")
        let events = motherboard.observeEvents()
        #expect(await use.perform(motherboard, try #require(slot), BoardID("words")))
        let reports = events.events.filter { $0.kind == .noSuchBoard || $0.kind == .undeliveredCommand }
        #expect(reports.map { $0.board?.name } == ["words"])
        #expect(reports.first?.message.contains("belongs to the contract Words, and was used for Numbers") == true)
        #expect(motherboard.liveCount(of: .words) == 1)
    }

    @Test(.rule("B75")) func `each function that takes an ID is in the table, or registers something`() throws {
        let covered = Set(Self.uses.map { $0.description.split(separator: ".")[1] })
        // These register, compare, name a value or withhold it.
        let others: Set<Substring> = [
            "register", "registerFlow", "registerCombinedFlow", "registerCompletionFlow", "registerTask",
            "registerLink",
            "registerScope", "declare", "gate", "gateAll", "recordEvents", "init", "input", "output", "command",
        ]
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../API/Backplane.txt")
        let functions = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("BoardID<") && !$0.contains("operator") && !$0.contains("func ==") && !$0.contains("func ->>>")
                && !$0.contains("func !=")
        }
        .compactMap { line in line.firstMatch(of: #/\| .*?(?:func |)(init|\w+)(?:<[^>]*>)?\(/#)?.1 }
        #expect(functions.count > 40)
        #expect(Set(functions).subtracting(covered).subtracting(others) == [])
    }

    @Test(.rule("B75")) func `a board is denied if its name belongs to another contract inside its scope`() {
        let campus = Campus(.onMain())
        campus.onSession = { board, _ in board.inner.probe(BoardID<Numbers>("shared")) }
        campus.motherboard.activate(.session, with: Account("ada"))
        let outside = BoardID<Words>("shared")
        campus.motherboard.declare(outside, inside: .session)
        let denial = Denial(of: outside, by: BoardID.session, .notInside)
        #expect(campus.motherboard.activate(outside, with: "a").state == .denied(denial))
        #expect(campus.motherboard.send(1, to: BoardID<Numbers>("shared")) == .noSuchBoard)
        #expect(!campus.motherboard.isLive(outside))
    }

    @Test(.rule("B75")) func `a contribution point read with another type is empty and raises an event`() {
        let motherboard = Motherboard.onMain()
        motherboard.contribute(to: ContributionPoint<String>("tiles")) { "tile" }
        let events = motherboard.observeEvents()
        #expect(motherboard.contributions(to: ContributionPoint<Int>("tiles")) == [])
        #expect(events.events.map(\.kind) == [.noSuchPoint])
        #expect(motherboard.contributions(to: ContributionPoint<String>("tiles")) == ["tile"])
    }

    @Test(.rule("B75")) func `a gate for another contract outside is not asked about a board inside`() {
        // The nested motherboard is set up first; the outer one then has the name for another
        // contract.
        let motherboard = Motherboard.onMain()
        let inner = motherboard.makeInner()
        inner.probe(BoardID<Numbers>("same"))
        motherboard.probe(.doorkeeper)
        motherboard.gate(
            BoardID<Words>("same"),
            by: .doorkeeper,
            asking: { $0.isEmpty ? nil : () },
            verdict: { _ in .open }
        )
        #expect(inner.activate(BoardID<Numbers>("same"), with: 1).state == .active)
        #expect(!motherboard.isLive(.doorkeeper))
    }
}
