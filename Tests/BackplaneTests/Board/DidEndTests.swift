import Backplane
import TestSupport
import Testing

/// `didEnd(_:)` notifies a board exactly once of its end, whatever the cause.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DidEndTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    private final class Window: LifetimeOwner {
        let lifetime = Lifetime()
    }

    /// Registers a board that notes its end.
    private func register(
        _ id: BoardID<Numbers>,
        reuse: BoardReuse = .shared,
        on motherboard: Motherboard? = nil,
        onActivate: @escaping (ProbeBoard<Numbers>, Int) -> Void = { _, _ in }
    ) {
        (motherboard ?? self.motherboard).register(id, reuse: reuse) { [journal] slot in
            ProbeBoard(
                slot: slot,
                onActivate: onActivate,
                onEnd: { board, completion in
                    #expect(!board.slot.isLive)
                    journal.note("\(board.slot.id) \(completion)")
                }
            )
        }
    }

    // MARK: Causes of the end

    @Test(.rule("B64")) func `A board is notified of its own completion`() {
        register(.first) { board, _ in
            board.complete(.failed(Oops()))
            board.complete()
        }
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["first failed(Oops)"])
    }

    @Test(.rule("B64")) func `A board is notified of a completion by other code`() {
        register(.first)
        motherboard.activate(.first, with: 1).complete()
        let second = motherboard.activate(.first, with: 1)
        motherboard.complete(.first, .cancelled)
        second.complete()
        #expect(journal.lines == ["first done", "first cancelled"])
    }

    @Test(.rule("B64", "B54")) func `A board is notified when all boards are completed`() {
        register(.first)
        register(.second, reuse: .perActivation)
        motherboard.activate(.second, with: 1)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.second, with: 2)
        motherboard.completeAllBoards()
        #expect(journal.lines == ["second cancelled", "first cancelled", "second cancelled"])
    }

    @Test(.rule("B64")) func `A board is notified when its motherboard completes`() {
        register(.first)
        motherboard.activate(.first, with: 1)
        motherboard.complete()
        motherboard.complete()
        #expect(journal.lines == ["first cancelled"])
    }

    @Test(.rule("B64")) func `A board is notified when its paired lifetime ends`() {
        let window = Window()
        register(.first) { board, _ in board.pair(with: window) }
        motherboard.activate(.first, with: 1)
        window.lifetime.end()
        #expect(journal.lines == ["first cancelled"])
    }

    @Test(.rule("B64", "B35")) func `A board is notified when its task fails`() async {
        var work: Task<Void, Never>?
        register(.first) { board, _ in work = board.task { throw Oops() } }
        motherboard.activate(.first, with: 1)
        await work?.value
        #expect(journal.lines == ["first failed(Oops)"])
    }

    @Test(.rule("B64")) func `A board is notified when its only caller receives the result`() async throws {
        register(.first) { board, input in board.send(input) }
        #expect(try await motherboard.result(of: .first, with: 7) == 7)
        #expect(journal.lines == ["first done"])
    }

    @Test(.rule("B64")) func `A board that is a struct is notified of its end`() {
        struct Plain: Board {
            let slot: Slot<Numbers>
            let journal: Journal
            func activate(with input: Int) {}
            func receive(_ command: Int) {}
            func didEnd(_ completion: Completion) { journal.note("struct \(completion)") }
        }
        motherboard.register(.first) { [journal] slot in Plain(slot: slot, journal: journal) }
        motherboard.register(.second) { [journal] slot, _ in Plain(slot: slot, journal: journal) }
        motherboard.activate(.first, with: 1).complete()
        motherboard.activate(.second, with: 1).complete(.cancelled)
        #expect(journal.lines == ["struct done", "struct cancelled"])
    }

    @Test(.rule("B64", "B32")) func `A gate's own board is notified after its decision`() {
        motherboard.register(.confirm) { [journal] slot in
            ProbeBoard<Question>(
                slot: slot,
                onActivate: { board, _ in board.send(true) },
                onEnd: { _, completion in
                    journal.note("confirm \(completion)")
                }
            )
        }
        motherboard.probe(.words) { [journal] _, _ in journal.note("entered") }
        motherboard.gate(.words, by: .confirm, with: "Sure?") { $0 ? .open : .closed }
        motherboard.activate(.words, with: "")
        #expect(journal.lines == ["confirm done", "entered"])
    }

    @Test(.rule("B64"), arguments: [true, false])
    func `A board that ends in its own factory is notified once, after the factory`(isObject: Bool) {
        struct Plain: Board {
            let slot: Slot<Numbers>
            let journal: Journal
            func activate(with input: Int) { journal.note("activated") }
            func receive(_ command: Int) {}
            func didEnd(_ completion: Completion) { journal.note("ended \(completion)") }
        }
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("flow \(completion)") }
        let end = { [journal] (slot: Slot<Numbers>) in
            slot.complete(.failed(Oops()))
            slot.complete()
            journal.note("made")
        }
        if isObject {
            motherboard.register(.first) { [journal] slot in
                end(slot)
                return ProbeBoard<Numbers>(
                    slot: slot,
                    onActivate: { _, _ in journal.note("activated") },
                    onEnd: { board, completion in journal.note("ended \(completion)") }
                )
            }
        } else {
            motherboard.register(.first) { [journal] slot in
                end(slot)
                return Plain(slot: slot, journal: journal)
            }
        }
        #expect(motherboard.activate(.first, with: 1).state == .completed)
        #expect(journal.lines == ["made", "ended failed(Oops)", "flow failed(Oops)"])
    }

    @Test(.rule("B64")) func `A board whose motherboard completes in the board's factory is notified`() {
        motherboard.register(.first) { [motherboard, journal] slot in
            motherboard.complete()
            return ProbeBoard<Numbers>(slot: slot, onEnd: { _, completion in journal.note("\(completion)") })
        }
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["cancelled"])
    }

    // MARK: No notification

    @Test(.rule("B64")) func `A board is not notified of a second activation`() {
        register(.first)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        #expect(journal.lines.isEmpty)
        motherboard.complete(.first)
        #expect(journal.lines == ["first done"])
    }

    @Test(.rule("B64")) func `A board is not notified when its motherboard is released`() {
        do {
            let motherboard = Motherboard()
            register(.first, on: motherboard)
            motherboard.activate(.first, with: 1)
        }
        #expect(journal.lines.isEmpty)
    }

    // MARK: Order

    @Test(.rule("B64")) func `Boards inside are notified before the outer board, and completion flows run last`() {
        motherboard.register(.third) { [journal] slot in
            ProbeBoard<Numbers>(
                slot: slot,
                onActivate: { board, _ in
                    board.inner.activate(.second, with: 1)
                    board.inner.activate(.first, with: 1)
                },
                onEnd: { board, completion in journal.note("\(board.slot.id) \(completion)") }
            )
        }
        register(.second) { board, _ in board.inner.activate(.first, with: 2) }
        register(.first)
        motherboard.registerCompletionFlow(.third) { [journal] _, _ in journal.note("flow") }
        motherboard.activate(.third, with: 1).complete()
        #expect(journal.lines == ["first cancelled", "second cancelled", "first cancelled", "third done", "flow"])
    }

    @Test(.rule("B64"))
    func `A board is notified after its removal, its task's cancellation and its component's release`() {
        let window = Window()
        weak var kept: Journal?
        var work: Task<Void, Never>?
        motherboard.register(.first) { [motherboard, journal] slot in
            ProbeBoard<Numbers>(
                slot: slot,
                onActivate: { board, _ in
                    let component = Journal()
                    kept = component
                    board.keep(component, for: window)
                    work = board.task { while !Task.isCancelled { await Task.yield() } }
                },
                onEnd: { board, _ in
                    #expect(!motherboard.isLive(.first))
                    #expect(motherboard.send(1, to: .first) == .notLive)
                    #expect(work?.isCancelled == true)
                    #expect(kept == nil)
                    #expect(board.inner.activate(.second, with: 1).state == .ownerGone)
                    journal.note("ended")
                }
            )
        }
        motherboard.probe(.second)
        motherboard.activate(.first, with: 1)
        #expect(kept != nil)
        motherboard.complete(.first)
        #expect(journal.lines == ["ended"])
    }

    @Test(.rule("B64", "B3")) func `A board's output in didEnd is dropped, and its earlier output is delivered`() {
        let events = motherboard.observeEvents()
        motherboard.registerFlow(from: .first) { [journal] output, _ in journal.note("\(output)") }
        motherboard.register(.first) { slot in
            ProbeBoard<Numbers>(
                slot: slot,
                onActivate: { board, _ in
                    board.send(1)
                    board.complete()
                },
                onEnd: { board, _ in board.send(2) }
            )
        }
        motherboard.activate(.first, with: 1)
        #expect(journal.lines == ["1"])
        #expect(events.boards(.droppedOutput) == ["first"])
    }

    @Test(.rule("B64")) func `A board may activate its ID again in didEnd, which creates a new board`() {
        motherboard.register(.first) { [motherboard, journal] slot in
            ProbeBoard<Numbers>(
                slot: slot,
                onActivate: { _, input in journal.note("activated \(input)") },
                onEnd: { _, _ in
                    if journal.lines.count == 1 { motherboard.activate(.first, with: 2) }
                }
            )
        }
        let first = motherboard.activate(.first, with: 1)
        first.complete()
        #expect(first.state == .completed)
        #expect(journal.lines == ["activated 1", "activated 2"])
        #expect(motherboard.isLive(.first))
    }
}
