import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

private struct Refusal: Error {}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ActionPerformerTests {
    private let performer = ActionPerformer()

    private func waitForEnd() async {
        while performer.isPerforming { await Task.yield() }
    }

    @Test(.rule("P1")) func `actions run one at a time, on the actor of the caller`() async {
        let latch = AsyncLatch()
        var performed: [String] = []
        let isFirstStarted = performer.perform {
            MainActor.assertIsolated()
            await latch.wait()
            performed.append("first")
        }
        #expect(isFirstStarted)
        #expect(performer.isPerforming)
        let isSecondStarted = performer.perform { performed.append("second") }
        #expect(!isSecondStarted)
        latch.open()
        await waitForEnd()
        #expect(performer.perform { performed.append("third") })
        await waitForEnd()
        #expect(performed == ["first", "third"])
    }

    @Test(.rule("P1")) func `an error is kept until the next action starts`() async {
        performer.perform { throw Refusal() }
        await waitForEnd()
        #expect(performer.error is Refusal)
        performer.perform {}
        #expect(performer.error == nil)
        await waitForEnd()
        #expect(performer.error == nil)
    }

    @Test(.rule("P1")) func `a cancellation is not a failure`() async {
        performer.perform { throw CancellationError() }
        await waitForEnd()
        #expect(performer.error == nil)
    }

    @Test(.rule("P1")) func `the owner of the tasks may cancel an action`() async {
        var tasks: [Task<Void, Never>] = []
        let performer = ActionPerformer { work in
            let task = Task { do { try await work() } catch {} }
            tasks.append(task)
            return task
        }
        let latch = AsyncLatch()
        var isCancelled = false
        performer.perform {
            try? await latch.waitUnlessCancelled()
            isCancelled = Task.isCancelled
            try Task.checkCancellation()
        }
        for task in tasks { task.cancel() }
        while performer.isPerforming { await Task.yield() }
        #expect(isCancelled)
        #expect(performer.error == nil)
    }

    @Test(.rule("P1")) func `if the owner does not run an action, the next action can still run`() async {
        let performer = ActionPerformer { _ in Task {} }
        performer.perform { Issue.record("The owner has ended.") }
        #expect(!performer.isPerforming)
        #expect(performer.perform {})
    }

    @Test(.rule("P1")) func `before an action runs, it does not keep its context alive`() async {
        final class Screen {
            var log: [String] = []
        }
        let screen = Screen()
        performer.perform(for: screen) { $0.log.append("performed") }
        await waitForEnd()
        #expect(screen.log == ["performed"])

        var lost: Screen? = Screen()
        weak let context = lost
        if let screen = lost { performer.perform(for: screen) { _ in Issue.record("The screen is gone.") } }
        lost = nil
        #expect(context == nil)
        await waitForEnd()
    }

    @Test(.rule("P1")) func `a model on an unknown actor performs actions with the tasks of its owner`() async {
        final class Model {
            let performer: ActionPerformer
            var log: [String] = []

            init(_ performer: ActionPerformer) { self.performer = performer }

            func tap() {
                performer.perform { self.log.append("performed") }
            }
        }
        let model = Model(ActionPerformer { work in Task { try? await work() } })
        model.tap()
        #expect(model.performer.isPerforming)
        while model.performer.isPerforming { await Task.yield() }
        #expect(model.log == ["performed"])
    }

    @Test(.rule("P1")) func `a model on any actor performs its actions there`() async {
        #expect(await SomeActor().performed() == ["on the actor"])
    }
}

private actor SomeActor {
    private let performer = ActionPerformer()
    private var log: [String] = []

    func performed() async -> [String] {
        performer.perform {
            self.preconditionIsolated()
            self.log.append("on the actor")
        }
        while performer.isPerforming { await Task.yield() }
        return log
    }
}
