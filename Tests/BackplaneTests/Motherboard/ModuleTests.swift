import Backplane
import Testing

@MainActor
struct ModuleTests {
    private final class Shelf: BoardModule {
        let journal: Journal

        init(journal: Journal) {
            self.journal = journal
        }

        func register(on motherboard: Motherboard) {
            motherboard.probe(.words) { [journal] board, input in
                journal.note(input)
                board.send(input)
            }
            motherboard.probe(.doorkeeper) { board, _ in board.send(true) }
            motherboard.gate(.words, by: .doorkeeper) { $0 ? .open : .closed }
            motherboard.registerFlow(from: .words) { [journal] output, _ in journal.note("flow \(output)") }
            motherboard.registerLink("word/{word}", to: .words)
        }
    }

    @Test func `B37: a module registers its boards, gates, flows and links`() {
        let journal = Journal()
        let motherboard = Motherboard()
        motherboard.install(Shelf(journal: journal))
        #expect(motherboard.open("/word/hello") == .opened)
        #expect(journal.lines == ["hello", "flow hello"])
    }

    @Test func `B37: installing a module twice traps`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let motherboard = Motherboard()
            motherboard.install(Empty())
            motherboard.install(Empty())
        }
    }
}

private struct Empty: BoardModule {
    func register(on motherboard: Motherboard) {}
}
