import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B46"), .timeLimit(.minutes(5))) @MainActor struct BusValuesTests {
    let motherboard = Motherboard.onMain()

    /// Activates a board with a bus and returns the bus.
    private func makeBus(onActivate: @escaping (Bus<Int>, Int) -> Void = { _, _ in }) throws -> Bus<Int> {
        var made: Bus<Int>?
        motherboard.register(.first) { slot in
            let bus = Bus<Int>(for: slot)
            made = bus
            return ProbeBoard(slot: slot) { _, input in onActivate(bus, input) }
        }
        motherboard.activate(.first, with: 0)
        return try #require(made)
    }

    @Test func `each sequence buffers all values until they are read and ends with its board`() async throws {
        let bus = try makeBus()
        bus.send(0)
        let sequences = [bus.values, bus.values]
        for value in 1...3 { bus.send(value) }
        motherboard.complete(.first)
        bus.send(4)
        for sequence in sequences { #expect(await sequence.all() == [1, 2, 3]) }
        #expect(await bus.values.all().isEmpty, "it was made after the completion")
    }

    @Test func `a sequence delivers a value to a waiting reader`() async throws {
        let bus = try makeBus()
        var read = bus.values.makeAsyncIterator()
        for value in 1...3 {
            let begun = AsyncLatch()
            Task { @MainActor in
                await begun.wait()
                bus.send(value)
            }
            begun.open()
            #expect(await read.next() == value)
        }
    }

    @Test func `a sequence ends when a later activation makes a new sequence`() async throws {
        var sequences: [Bus<Int>.Values] = []
        let bus = try makeBus { bus, _ in sequences.append(bus.values) }
        bus.send(1)
        motherboard.activate(.first, with: 1)
        bus.send(2)
        #expect(await sequences[0].all() == [1])
        motherboard.complete(.first)
        #expect(await sequences[1].all() == [2])
    }

    @Test(arguments: [false, true])
    func `a sequence ends with its board or motherboard even if the bus ends, too`(isOwnerGone: Bool) async {
        var values: Bus<Int>.Values?
        do {
            let motherboard = Motherboard()
            motherboard.register(.first) { slot in
                let bus = Bus<Int>(for: slot)
                values = bus.values
                return ProbeBoard(slot: slot) { _, _ in bus.send(1) }
            }
            let activation = motherboard.activate(.first, with: 0)
            if !isOwnerGone { activation.complete() }
        }
        #expect(await values?.all() == [1])
    }

    @Test func `cancelling a reader ends only that reader`() async throws {
        let bus = try makeBus()
        let values = bus.values
        let begun = AsyncLatch()
        let reading = Task { @MainActor in
            begun.open()
            return await values.all()
        }
        await begun.wait()
        bus.send(1)
        reading.cancel()
        #expect(await reading.value == [1])
        bus.send(2)
        motherboard.complete(.first)
        #expect(await values.all() == [2])
    }

    @Test func `a released sequence retains no values`() throws {
        enum Parcels: BoardContract {}
        weak var parcel: Journal?
        var kept: Bus<Journal>?
        motherboard.register(BoardID<Parcels>("parcels")) { slot in
            let bus = Bus<Journal>(for: slot)
            kept = bus
            return ProbeBoard(slot: slot)
        }
        motherboard.activate(BoardID<Parcels>("parcels"))
        let bus = try #require(kept)
        var values: Bus<Journal>.Values? = bus.values
        do {
            let sent = Journal()
            parcel = sent
            bus.send(sent)
        }
        #expect(parcel != nil)
        #expect(values != nil)
        values = nil
        #expect(parcel == nil)
    }
}

extension Bus.Values {
    /// Returns the remaining values after the sequence has ended.
    nonisolated(nonsending) fileprivate func all() async -> [Value] {
        var values: [Value] = []
        for await value in self { values.append(value) }
        return values
    }
}
