import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B46")) @MainActor struct BusTests {
    let motherboard = Motherboard.onMain()
    let journal = Journal()

    /// A named target.
    private final class Target {
        let name: String
        var onValue: (Int) -> Void = { _ in }

        init(_ name: String) {
            self.name = name
        }
    }

    /// Registers a board with a bus and calls `onActivate` at each activation.
    private func register(onActivate: @escaping (Bus<Int>, Int) -> Void) {
        motherboard.register(.first) { slot in
            let bus = Bus<Int>(for: slot)
            return ProbeBoard(slot: slot) { _, input in
                onActivate(bus, input)
            } onCommand: { _, command in
                bus.send(command)
            }
        }
    }

    /// Connects a target that notes each value and then calls its `onValue`.
    private func connect(_ target: Target, to bus: Bus<Int>) {
        bus.connect(target) { [journal] target, value in
            journal.note("\(target.name) \(value)")
            target.onValue(value)
        }
    }

    @Test(.rule("M7")) func `values reach every connected target in the order of connection`() {
        let targets = ["a", "b", "c"].map { Target($0) }
        register { bus, _ in
            bus.send(0)
            for target in targets { connect(target, to: bus) }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        motherboard.send(2, to: .first)
        #expect(journal.lines == ["a 1", "b 1", "c 1", "a 2", "b 2", "c 2"])
    }

    @Test func `a value sent by a handler is delivered after every target has received the current value`() {
        let targets = ["a", "b"].map { Target($0) }
        register { bus, _ in
            for target in targets { connect(target, to: bus) }
            targets[0].onValue = { [unowned bus] value in if value < 3 { bus.send(value + 1) } }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        #expect(journal.lines == ["a 1", "b 1", "a 2", "b 2", "a 3", "b 3"])
    }

    @Test func `a bus holds a target weakly and releases the handler of a released target`() {
        weak var captured: Journal?
        var target: Target? = Target("a")
        register { bus, _ in
            let noted = Journal()
            captured = noted
            if let target { bus.connect(target) { _, value in noted.note("\(value)") } }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        #expect(captured?.lines == ["1"])
        weak var gone: Target?
        gone = target
        target = nil
        #expect(gone == nil)
        motherboard.send(2, to: .first)
        #expect(captured == nil)
    }

    @Test func `a target that connects during a send receives values from the next send on`() {
        let early = Target("early")
        let late = Target("late")
        register { bus, _ in
            connect(early, to: bus)
            early.onValue = { [unowned bus] value in if value == 1 { connect(late, to: bus) } }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        motherboard.send(2, to: .first)
        #expect(journal.lines == ["early 1", "early 2", "late 2"])
    }

    @Test func `a target that is released during a send receives nothing more`() {
        let first = Target("first")
        var second: Target? = Target("second")
        register { bus, _ in
            connect(first, to: bus)
            if let second { connect(second, to: bus) }
            first.onValue = { _ in second = nil }
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        motherboard.send(2, to: .first)
        #expect(journal.lines == ["first 1", "first 2"])
    }

    @Test func `a connection in a later activation replaces and releases the earlier connections`() {
        let targets = ["a", "b", "c"].map { Target($0) }
        weak var earlier: Journal?
        register { [journal] bus, input in
            if input == 0 {
                let held = Journal()
                earlier = held
                bus.connect(targets[0]) { target, value in
                    withExtendedLifetime(held) { journal.note("\(target.name) \(value)") }
                }
            }
            if input == 2 { for target in targets[1...] { connect(target, to: bus) } }
        }
        for input in 0...2 {
            motherboard.activate(.first, with: input)
            #expect((earlier != nil) == (input < 2))
            motherboard.send(input, to: .first)
        }
        #expect(journal.lines == ["a 0", "a 1", "b 2", "c 2"])
    }

    @Test func `a handler may activate the board again, and replace targets that were not yet notified`() {
        let targets = ["a", "b", "c"].map { Target($0) }
        register { bus, input in
            if input == 0 {
                connect(targets[0], to: bus)
                connect(targets[1], to: bus)
            } else {
                connect(targets[2], to: bus)
            }
        }
        targets[0].onValue = { [motherboard] _ in motherboard.activate(.first, with: 1) }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        motherboard.send(2, to: .first)
        #expect(journal.lines == ["a 1", "c 2"])
    }

    @Test func `a handler may complete the board, and nothing arrives afterwards`() {
        let targets = ["a", "b"].map { Target($0) }
        var kept: Bus<Int>?
        register { bus, _ in
            kept = bus
            for target in targets { connect(target, to: bus) }
        }
        targets[0].onValue = { [motherboard] value in
            kept?.send(value + 1)
            motherboard.complete(.first)
            kept?.send(value + 2)
        }
        motherboard.activate(.first, with: 0)
        motherboard.send(1, to: .first)
        kept?.send(4)
        #expect(journal.lines == ["a 1"])
    }

    @Test func `a connection after completion has no effect, and its handler is released`() {
        weak var captured: Journal?
        let target = Target("a")
        var kept: Bus<Int>?
        register { bus, _ in kept = bus }
        motherboard.activate(.first, with: 0).complete()
        do {
            let noted = Journal()
            captured = noted
            kept?.connect(target) { _, value in noted.note("\(value)") }
        }
        #expect(captured == nil)
        kept?.send(1)
    }

    @Test(arguments: [false, true])
    func `a bus retains nothing of an ended or released board`(isOwnerGone: Bool) {
        weak var board: ProbeBoard<Numbers>?
        weak var captured: Journal?
        var bus: Bus<Int>?
        let target = Target("a")
        var motherboard: Motherboard? = Motherboard()
        if let made = motherboard?.enter(.first, with: 0) {
            let noted = Journal()
            (board, captured) = (made, noted)
            bus = Bus(for: made.slot)
            bus?.connect(target) { _, _ in noted.note("") }
            if !isOwnerGone { made.complete() }
        }
        if isOwnerGone { motherboard = nil }
        #expect(board == nil)
        #expect(captured == nil)
        bus?.send(1)
    }

    @Test func `a released bus releases its handlers`() {
        weak var captured: Journal?
        let target = Target("a")
        motherboard.register(.first) { slot in
            let noted = Journal()
            captured = noted
            Bus<Int>(for: slot).connect(target) { _, _ in noted.note("") }
            return ProbeBoard(slot: slot)
        }
        motherboard.activate(.first, with: 0)
        #expect(captured == nil)
    }
}
