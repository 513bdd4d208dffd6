import Backplane
import TestSupport
import Testing

@MainActor
struct ActivationTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    @Test(.rule("B6", "M2")) func `a board is created once, at its first activation`() {
        motherboard.register(.first) { [journal] slot in
            journal.note("made")
            return ProbeBoard(slot: slot) { _, input in journal.note("activated with \(input)") }
        }
        #expect(journal.lines.isEmpty)
        motherboard.activate(.first, with: 1)
        motherboard.activate(.first, with: 2)
        #expect(journal.lines == ["made", "activated with 1", "activated with 2"])
    }

    #if os(macOS) || os(Linux)
        @Test(.rule("B6")) func `activating a board inside its own factory traps`() async {
            await #expect(processExitsWith: .failure) { @MainActor in
                let motherboard = Motherboard.onMain()
                motherboard.register(.first) { slot in
                    slot.nextToBoard(.first, with: 0)
                    return ProbeBoard(slot: slot)
                }
                motherboard.activate(.first, with: 0)
            }
        }
    #endif

    @Test(.rule("B6")) func `a new activation of a shared board supersedes the earlier activation`() {
        motherboard.probe(.first)
        let earlier = motherboard.activate(.first, with: 1)
        #expect(earlier.state == .active)
        let later = motherboard.activate(.first, with: 2)
        #expect(earlier.state == .superseded)
        #expect(later.state == .active)
        earlier.complete()
        #expect(later.state == .active, "a superseded handle must not end the later activation")
        #expect(earlier.send(1) == .notLive)
        later.complete()
        #expect(earlier.state == .superseded)
        #expect(earlier.completion == nil)
        #expect(later.state == .completed)
    }

    @Test(.rule("B6")) func `a factory with an input creates a separate board for each activation`() {
        motherboard.register(.first) { [journal] slot, input in
            ProbeBoard(slot: slot) { _, _ in
                journal.note("course \(input)")
            } onCommand: { _, command in
                journal.note("\(input) told \(command)")
            }
        }
        let one = motherboard.activate(.first, with: 1)
        let two = motherboard.activate(.first, with: 2)
        #expect([one.state, two.state] == [.active, .active])
        #expect(motherboard.send(9, to: .first) == .delivered(2))
        one.complete()
        #expect([one.state, two.state] == [.completed, .active])
        #expect(two.send(8) == .delivered(1))
        #expect(one.send(8) == .notLive)
        #expect(journal.lines == ["course 1", "course 2", "1 told 9", "2 told 9", "2 told 8"])
    }

    @Test(.rule("B7")) func `live boards stay when their registration is replaced`() {
        let told: (String) -> (Slot<Numbers>) -> ProbeBoard<Numbers> = { [journal] name in
            { slot in ProbeBoard(slot: slot, onCommand: { _, command in journal.note("\(name) told \(command)") }) }
        }
        motherboard.register(.first, reuse: .perActivation, told("old"))
        let old = motherboard.activate(.first, with: 0)
        motherboard.register(.first, replacing: true, told("new"))
        motherboard.activate(.first, with: 0)
        #expect(motherboard.send(1, to: .first) == .delivered(2))
        old.complete()
        #expect(motherboard.send(2, to: .first) == .delivered(1))
        #expect(journal.lines == ["old told 1", "new told 1", "new told 2"])
    }

    @Test(.rule("B10")) func `activating an unknown ID returns noSuchBoard, raises one event and calls the fallback`() {
        let record = motherboard.observeEvents()
        motherboard.registerFallback { [journal] id, _ in journal.note("missing \(id)") }
        let activation = motherboard.activate(.first, with: 1)
        #expect(activation.id == .first)
        #expect(activation.state == .noSuchBoard)
        #expect(activation.send(1) == .noSuchBoard)
        #expect(record.boards(.noSuchBoard) == ["first"])
        #expect(record.events.count == 1)
        #expect(record.events.first?.message.contains("Register it") == true)
        #expect(record.events.first?.description.hasPrefix("noSuchBoard first: No board is registered") == true)
        #expect(journal.lines == ["missing first"])
        #expect(motherboard.send(1, to: .first) == .noSuchBoard)
    }

    @Test(.rule("B11")) func `a handle keeps its ID, also after its board and motherboard are released`() {
        var motherboard: Motherboard? = Motherboard()
        motherboard?.probe(.first)
        motherboard?.probe(.second)
        let first = motherboard?.activate(.first, with: 1)
        let second = motherboard?.activate(.second, with: 1)
        second?.complete()
        motherboard = nil
        #expect(first?.id == .first)
        #expect(first?.state == .ownerGone)
        #expect(first?.send(1) == .ownerGone)
        #expect(second?.state == .completed)
        first?.complete()
        #expect(first?.state == .ownerGone)
    }

    @Test(.rule("B14")) func `a board without input is activated by its ID alone`() {
        motherboard.probe(.doorkeeper) { [journal] _, _ in journal.note("activated") }
        #expect(motherboard.activate(.doorkeeper).state == .active)
        #expect(journal.lines == ["activated"])
    }

    @Test(.rule("B6", "B9", "B26")) func `a struct may be a board, for each activation too, and may have commands`() {
        struct Adder: Board {
            let slot: Slot<Numbers>
            var id = 0
            func activate(with input: Int) { send(id + input) }
            func receive(_ command: Int) { send(id + command) }
        }
        motherboard.noteOutputs(of: .first, .second, in: journal)
        motherboard.register(.first) { slot in Adder(slot: slot) }
        motherboard.register(.second) { slot, input in Adder(slot: slot, id: input * 10) }
        let ids = [BoardID<Numbers>.first, .second]
        let activations = ids.flatMap { id in (1...2).map { motherboard.activate(id, with: $0) } }
        #expect(activations.map(\.state) == [.superseded, .active, .active, .active])
        #expect(ids.map { motherboard.send(5, to: $0) } == [.delivered(1), .delivered(2)])
        #expect(
            journal.lines == [
                "first 1", "first 2", "second 11", "second 22", "first 5", "second 15", "second 25",
            ]
        )
    }
}

struct Oops: Error {}
