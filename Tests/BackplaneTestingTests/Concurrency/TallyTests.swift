import Testing

@testable import BackplaneTesting

@Suite(.timeLimit(.minutes(5))) struct TallyTests {
    let tally = Tally()

    @Test func `a waiter times out only after its deadline`() async {
        #expect(await tally.reach(1, by: .now - .seconds(1)) == .timedOut)
        let waiting = Task { await tally.reach(1, by: .now + .seconds(60)) }
        tally.add()
        #expect(await waiting.value == .reached)
    }

    @Test func `if the count, a cancellation and the deadline come at the same time, each wait ends once`() async {
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
