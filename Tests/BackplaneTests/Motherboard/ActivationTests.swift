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

    @Test(.rule("B6")) func `an activation during an activation supersedes the outer activation`() {
        var inner: Activation<Numbers>?
        motherboard.probe(.first) { board, input in
            if input == 1 { inner = board.nextToBoard(.first, with: 2) }
        }
        let outer = motherboard.activate(.first, with: 1)
        #expect(outer.state == .superseded)
        #expect(inner?.state == .active)
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

    @Test(.rule("B6")) func `the registration decides whether a second activation creates a second board`() {
        var made = 0
        motherboard.register(.first, reuse: .perActivation) { slot in
            made += 1
            return ProbeBoard(slot: slot)
        }
        let activations = [motherboard.activate(.first, with: 1), motherboard.activate(.first, with: 2)]
        #expect(made == 2)
        #expect(activations.map(\.state) == [.active, .active])
    }

    @Test(.rule("B7")) func `a second registration with replacing set to true replaces the factory`() {
        motherboard.probe(.first) { [journal] _, _ in journal.note("old") }
        motherboard.register(.first, replacing: true) { [journal] slot in
            ProbeBoard(slot: slot) { _, _ in journal.note("new") }
        }
        motherboard.activate(.first, with: 0)
        #expect(journal.lines == ["new"])
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

    @Test(.rule("B7")) func `a second registration without replacing traps`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let motherboard = Motherboard.onMain()
            motherboard.probe(.first)
            motherboard.probe(.first)
        }
    }

    @Test(.rule("B5")) func `two contracts with the same board name trap at registration`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
            let motherboard = Motherboard.onMain()
            motherboard.probe(BoardID<Numbers>("same"))
            motherboard.probe(BoardID<Words>("same"))
        }
        let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
        #expect(message?.contains("Two contracts share the board name 'same'") == true)
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

    @Test(.rule("B10")) func `a nested motherboard without a fallback uses the fallback of its parent motherboard`() {
        var inner: Motherboard?
        motherboard.registerFallback { [journal] id, given in
            journal.note("missing \(id)")
            #expect(given === inner)
        }
        motherboard.probe(.first) { board, _ in inner = board.inner }
        motherboard.activate(.first, with: 1)
        inner?.activate(.second, with: 0)
        #expect(journal.lines == ["missing second"])
    }

    @Test(.rule("B11")) func `a handle keeps its ID and outlives its board and motherboard`() {
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

    @Test(.rule("B11")) func `a handle sends commands and completes its board`() {
        motherboard.probe(
            .first,
            onCommand: { [journal] board, command in
                journal.note("told \(command)")
                board.send(command)
            }
        )
        motherboard.registerFlow(from: .first) { [journal] output, _ in journal.note("sent \(output)") }
        let activation = motherboard.activate(.first, with: 1)
        #expect(activation.send(5) == .delivered(1))
        activation.complete(.failed(Oops()))
        #expect(activation.state == .completed)
        #expect(activation.completion.map { "\($0)" } == "failed(Oops)")
        #expect(journal.lines == ["told 5", "sent 5"])
    }

    @Test(.rule("B14")) func `a board without input is activated by its ID alone`() {
        motherboard.probe(.doorkeeper) { [journal] _, _ in journal.note("activated") }
        #expect(motherboard.activate(.doorkeeper).state == .active)
        #expect(journal.lines == ["activated"])
    }

    @Test func `a board that completes in its own initializer is never activated`() {
        motherboard.register(.first) { [journal] slot in
            slot.complete()
            return ProbeBoard(slot: slot) { _, _ in journal.note("activated") }
        }
        #expect(motherboard.activate(.first, with: 1).state == .completed)
        #expect(journal.lines.isEmpty)
    }

    @Test func `a struct may be a board`() {
        struct Doubler: Board {
            let slot: Slot<Figures>
            func activate(with input: Int) { send(input * 2) }
        }
        motherboard.register(.figures, Doubler.init)
        motherboard.registerFlow(from: .figures) { [journal] output, _ in journal.note("\(output)") }
        motherboard.activate(.figures, with: 21)
        #expect(journal.lines == ["42"])
    }

    @Test(.rule("B6")) func `a struct may be a board that is created from the input of each activation`() {
        struct Adder: Board {
            let slot: Slot<Figures>
            let id: Int
            func activate(with input: Int) { send(id + input) }
        }
        motherboard.register(.figures) { slot, input in Adder(slot: slot, id: input * 10) }
        motherboard.registerFlow(from: .figures) { [journal] output, _ in journal.note("\(output)") }
        let activations = [motherboard.activate(.figures, with: 1), motherboard.activate(.figures, with: 2)]
        #expect(activations.map(\.state) == [.active, .active])
        #expect(journal.lines == ["11", "22"])
    }

    @Test(.rule("B26")) func `a struct board receives commands`() {
        struct Echo: Board {
            let slot: Slot<Numbers>
            func activate(with input: Int) {}
            func receive(_ command: Int) { send(command) }
        }
        motherboard.register(.first, Echo.init)
        motherboard.registerFlow(from: .first) { [journal] output, _ in journal.note("\(output)") }
        motherboard.activate(.first, with: 0)
        #expect(motherboard.send(42, to: .first) == .delivered(1))
        #expect(journal.lines == ["42"])
    }
}

struct Oops: Error {}
