import Testing

@testable import BackplaneTesting

@Suite(.timeLimit(.minutes(5))) struct TallyTests {
    let tally = Tally()

    @Test func `what has been reached is not waited for`() async {
        tally.add()
        tally.add()
        #expect(tally.count == 2)
        #expect(await tally.reach(2) == .reached)
        await tally.reachRegardless(2)
    }

    @Test func `each waits for its own number`() async {
        let waits = [1, 3, 2].map { goal in Task { await tally.reach(goal) } }
        tally.add()
        #expect(await waits[0].value == .reached)
        tally.add()
        #expect(await waits[2].value == .reached)
        waits[1].cancel()
        #expect(await waits[1].value == .cancelled)
    }

    @Test func `who waits is resumed when the deadline has passed, and not before`() async {
        #expect(await tally.reach(1, by: .now - .seconds(1)) == .timedOut)
        let waiting = Task { await tally.reach(1, by: .now + .seconds(60)) }
        tally.add()
        #expect(await waiting.value == .reached)
    }

    @Test func `counting, cancelling and the deadline may race, and each wait ends once`() async {
        for _ in 0..<200 {
            let tally = Tally()
            let waits = (0..<4).map { _ in Task.detached { await tally.reach(1, by: .now) } }
            let adding = Task.detached { tally.add() }
            for wait in waits.prefix(2) { wait.cancel() }
            await adding.value
            for wait in waits { _ = await wait.value }
            #expect(await tally.reach(1) == .reached)
        }
    }
}
