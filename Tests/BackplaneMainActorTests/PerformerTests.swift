import Backplane
import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

private nonisolated enum Form: BoardContract {}

private struct FormBoard: Board {
    let slot: Slot<Form>
    let show: (ActionPerformer) -> Void

    func activate(with input: Void) { show(ActionPerformer(startTask: slot.task)) }
}

@Suite(.timeLimit(.minutes(5)))
struct PerformerTests {
    @Test func `a performer with the tasks of a slot runs on the board's actor, and ends with the board`() async {
        let motherboard = Motherboard()
        let latch = AsyncLatch()
        var performers: [ActionPerformer] = []
        var notes: [String] = []
        motherboard.register { slot in FormBoard(slot: slot) { performers.append($0) } }
        let form = motherboard.activate(Form.id)
        for performer in performers {
            performer.perform {
                MainActor.assertIsolated()
                notes.append("started")
                await latch.wait()
                notes.append("cancelled: \(Task.isCancelled)")
            }
        }
        await latch.arrivals(atLeast: 1)
        form.complete()
        latch.open()
        await waitUntil { !performers[0].isPerforming }
        #expect(notes.first == "started")
        #expect(notes.dropFirst().allSatisfy { $0 == "cancelled: true" })
        performers[0].perform { notes.append("too late") }
        #expect(!performers[0].isPerforming)
        #expect(!notes.contains("too late"))
    }
}
