import BackplaneTesting
import TestSupport
import Testing

@testable import Backplane

@Suite(.rule("B59"), .timeLimit(.minutes(5))) @MainActor struct WeakTaskTests {
    @MainActor private final class Worker {
        var done: [Int] = []
        let gate = AsyncLatch()

        func double(_ number: Int) -> Int {
            done.append(number)
            return number * 2
        }
    }

    let motherboard = Motherboard.onMain()

    @Test func `the work receives its target`() async throws {
        let worker = Worker()
        motherboard.registerTask(.figures, weak: worker) { worker, input, slot in
            slot.send(0)
            return worker.double(input)
        }
        #expect(try await motherboard.outputs(of: .figures, with: 4).all() == [0, 8])
        motherboard.registerTask(Errand.id, weak: worker, .queue) { worker, input, _ in worker.done.append(input) }
        for try await _ in motherboard.outputs(of: Errand.id, with: 5) {}
        #expect(worker.done == [4, 5])
    }

    @Test func `an activation with a released target is cancelled and does no work`() async throws {
        var worker: Worker? = Worker()
        weak var gone: Worker?
        gone = worker
        if let worker {
            motherboard.registerTask(.figures, weak: worker, .join) { worker, input, _ in worker.double(input) }
            motherboard.registerTask(Errand.id, weak: worker) { worker, input, _ in worker.done.append(input) }
        }
        worker = nil
        #expect(gone == nil)
        for output in [1, 1].map({ motherboard.outputs(of: .figures, with: $0) }) {
            #expect(try await output.all().isEmpty)
            #expect(output.activation.completion?.isCancelled == true)
        }
        let errand = motherboard.outputs(of: Errand.id, with: 1)
        for try await _ in errand {}
        #expect(errand.activation.completion?.isCancelled == true)
    }

    @Test func `running work retains its target, and queued work is cancelled after its release`() async throws {
        var worker: Worker? = Worker()
        weak var gone: Worker?
        gone = worker
        let gate = worker?.gate ?? AsyncLatch()
        if let worker {
            motherboard.registerTask(.figures, weak: worker, .queue) { worker, input, _ in
                await worker.gate.wait()
                return worker.double(input)
            }
        }
        let outputs = [1, 2].map { motherboard.outputs(of: .figures, with: $0) }
        await gate.arrivals(atLeast: 1)
        worker = nil
        #expect(gone != nil)
        gate.open()
        #expect(try await outputs[0].all() == [2])
        #expect(try await outputs[1].all().isEmpty)
        // The frame of the task is released shortly after its board has ended.
        for _ in 0..<100 where gone != nil { await Task.yield() }
        #expect(gone == nil)
        #expect(outputs[1].activation.completion?.isCancelled == true)
    }
}
