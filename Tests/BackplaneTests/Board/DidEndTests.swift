import Backplane
import TestSupport
import Testing

/// `didEnd(_:)` notifies a board exactly once of its end, whatever the cause.
@MainActor @Suite(.rule("B64"), .timeLimit(.minutes(1)))
struct DidEndTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    /// A cause of the end of a board, and the completion that the board receives.
    struct Cause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let completion: String
        let end: @MainActor @Sendable (DidEndTests) async throws -> Void
    }

    nonisolated static let causes = [
        Cause(testDescription: "its own completion", completion: "failed(Oops)") { test in
            test.enter { board, _ in
                board.complete(.failed(Oops()))
                board.complete()
            }
        },
        Cause(testDescription: "a handle", completion: "done") { $0.enter().complete() },
        Cause(testDescription: "a completion of its ID", completion: "cancelled") { test in
            let activation = test.enter()
            test.motherboard.complete(.first, .cancelled)
            activation.complete()
        },
        Cause(testDescription: "the completion of all boards", completion: "cancelled") { test in
            test.enter()
            test.motherboard.completeAllBoards()
        },
        Cause(testDescription: "the completion of its motherboard", completion: "cancelled") { test in
            test.enter()
            test.motherboard.complete()
            test.motherboard.complete()
        },
        Cause(testDescription: "the end of a lifetime", completion: "cancelled") { test in
            let screen = Screen()
            test.enter { board, _ in board.pair(with: screen) }
            screen.lifetime.end()
        },
        Cause(testDescription: "an error of its task", completion: "failed(Oops)") { test in
            var work: Task<Void, Never>?
            test.enter { board, _ in work = board.task { throw Oops() } }
            await work?.value
        },
        Cause(testDescription: "the result of its only caller", completion: "done") { test in
            test.register(.first) { board, input in board.send(input) }
            _ = try await test.motherboard.result(of: .first, with: 7)
        },
        Cause(testDescription: "the completion of its motherboard in its factory", completion: "cancelled") { test in
            test.register(.first, inFactory: { _ in test.motherboard.complete() })
            test.motherboard.activate(.first, with: 1)
        },
    ]

    @Test(.rule("B54", "B35"), arguments: causes)
    func `A board is notified once of its end`(cause: Cause) async throws {
        try await cause.end(self)
        #expect(journal.lines == ["first \(cause.completion)"])
    }

    /// Registers a board that notes its end.
    private func register(
        _ id: BoardID<Numbers>,
        on motherboard: Motherboard? = nil,
        onActivate: @escaping (ProbeBoard<Numbers>, Int) -> Void = { _, _ in },
        inFactory: @escaping (Slot<Numbers>) -> Void = { _ in }
    ) {
        (motherboard ?? self.motherboard).register(id) { [journal] slot in
            inFactory(slot)
            let onEnd: (ProbeBoard<Numbers>, Completion) -> Void = { _, completion in
                #expect(!slot.isLive)
                journal.note("\(slot.id) \(completion)")
            }
            return ProbeBoard(slot: slot, onActivate: onActivate, onEnd: onEnd)
        }
    }

    /// Registers and activates the first board.
    @discardableResult
    private func enter(onActivate: @escaping (ProbeBoard<Numbers>, Int) -> Void = { _, _ in }) -> Activation<Numbers> {
        register(.first, onActivate: onActivate)
        return motherboard.activate(.first, with: 1)
    }

    @Test func `A board that is a struct is notified of its end`() {
        motherboard.register(.first) { [journal] slot in Plain(slot: slot, journal: journal) }
        motherboard.register(.second) { [journal] slot, _ in Plain(slot: slot, journal: journal) }
        motherboard.activate(.first, with: 1).complete()
        motherboard.activate(.second, with: 1).complete(.cancelled)
        #expect(journal.lines == ["activated", "ended done", "activated", "ended cancelled"])
    }

    @Test(arguments: [true, false])
    func `A board that ends in its own factory is notified once, after the factory`(isObject: Bool) {
        motherboard.registerCompletionFlow(.first) { [journal] completion, _ in journal.note("flow \(completion)") }
        let end = { [journal] (slot: Slot<Numbers>) in
            slot.complete(.failed(Oops()))
            slot.complete()
            journal.note("made")
        }
        if isObject {
            register(.first, onActivate: { [journal] _, _ in journal.note("activated") }, inFactory: end)
        } else {
            motherboard.register(.first) { [journal] slot in
                end(slot)
                return Plain(slot: slot, journal: journal)
            }
        }
        #expect(motherboard.activate(.first, with: 1).state == .completed)
        let ended = isObject ? "first failed(Oops)" : "ended failed(Oops)"
        #expect(journal.lines == ["made", ended, "flow failed(Oops)"])
    }

    @Test func `A board is not notified of a second activation or when its motherboard is released`() {
        do {
            let motherboard = Motherboard()
            register(.first, on: motherboard)
            motherboard.activate(.first, with: 1)
            motherboard.activate(.first, with: 2)
        }
        #expect(journal.lines.isEmpty)
    }

    @Test func `A board is notified after its removal, its task's cancellation and its component's release`() {
        let screen = Screen()
        weak var kept: Journal?
        var work: Task<Void, Never>?
        motherboard.probe(.second)
        motherboard.register(.first) { [motherboard, journal] slot in
            ProbeBoard(slot: slot) { board, _ in
                let component = Journal()
                kept = component
                board.keep(component, for: screen)
                work = board.task { while !Task.isCancelled { await Task.yield() } }
            } onEnd: { board, _ in
                #expect(!motherboard.isLive(.first))
                #expect(motherboard.send(1, to: .first) == .notLive)
                #expect(work?.isCancelled == true)
                #expect(kept == nil)
                #expect(board.inner.activate(.second, with: 1).state == .ownerGone)
                journal.note("ended")
            }
        }
        motherboard.activate(.first, with: 1)
        #expect(kept != nil)
        motherboard.complete(.first)
        #expect(journal.lines == ["ended"])
    }
}

private struct Plain: Board {
    let slot: Slot<Numbers>
    let journal: Journal
    func activate(with input: Int) { journal.note("activated") }
    func receive(_ command: Int) {}
    func didEnd(_ completion: Completion) { journal.note("ended \(completion)") }
}
