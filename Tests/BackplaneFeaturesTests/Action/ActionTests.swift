import BackplaneFeatures
import Testing

/// M17: what a screen can do, as a tuple of functions.
@MainActor
struct ActionTests {
    /// A screen as its authors would write it; it knows nothing but its actions.
    private final class Screen {
        typealias Actions = (
            complete: Action<Screen, String, String>.Async,
            count: Action<Screen, String, Int>.Sync
        )

        let actions: Actions
        var text = "Hel"
        var problem: String?

        init(actions: Actions) {
            self.actions = actions
        }

        func complete() async {
            do {
                text = try await actions.complete(self, text)
            } catch is CancellationError {
                // The person has changed their mind.
            } catch {
                problem = "\(error)"
            }
        }
    }

    private struct NoSuchWord: Error {}

    private func record<Input, Output>(
        _ journal: Journal,
        as type: ActionEvent<Input, Output>.Type = ActionEvent<Input, Output>.self
    ) -> (ActionEvent<Input, Output>) -> Void {
        { event in journal.lines.append("\(event)") }
    }

    private final class Journal {
        var lines: [String] = []
    }

    @Test func `an action gets the place it is performed in, and answers on the caller's actor`() async {
        let screen = Screen(
            actions: (
                complete: { screen, text in
                    MainActor.assertIsolated()
                    await Task.yield()
                    MainActor.assertIsolated()
                    screen.problem = nil
                    return text + "lo"
                },
                count: { _, text in text.count }
            )
        )
        screen.problem = "an old one"
        await screen.complete()
        #expect(screen.text == "Hello")
        #expect(screen.problem == nil)
        #expect(screen.actions.count(screen, screen.text) == 5)
    }

    @Test func `an observed action is the same action, told of before and after`() async {
        let journal = Journal()
        let count: Action<Screen, String, Int>.Sync = { _, text in
            journal.lines.append("counting")
            return text.count
        }
        let complete: Action<Screen, String, String>.Async = { _, text in
            journal.lines.append("completing")
            await Task.yield()
            MainActor.assertIsolated()
            return text + "lo"
        }
        let screen = Screen(
            actions: (Action.observed(complete, by: record(journal)), Action.observed(count, by: record(journal)))
        )
        await screen.complete()
        #expect(screen.text == "Hello")
        #expect(journal.lines == [#"started("Hel")"#, "completing", #"finished("Hello")"#])
        journal.lines = []
        #expect(screen.actions.count(screen, "abc") == 3)
        #expect(journal.lines == [#"started("abc")"#, "counting", "finished(3)"])
    }

    @Test func `a dismissal without a result throws CancellationError and leaves all as it was`() async {
        let journal = Journal()
        let complete: Action<Screen, String, String>.Async = { _, _ in throw CancellationError() }
        let screen = Screen(actions: (Action.observed(complete, by: record(journal)), { _, _ in 0 }))
        await screen.complete()
        #expect(screen.text == "Hel")
        #expect(screen.problem == nil)
        #expect(journal.lines == [#"started("Hel")"#, "dismissed"])
    }

    @Test func `an error is told of and thrown on`() async {
        let journal = Journal()
        let complete: Action<Screen, String, String>.Async = { _, _ in throw NoSuchWord() }
        let screen = Screen(actions: (Action.observed(complete, by: record(journal)), { _, _ in 0 }))
        await screen.complete()
        #expect(screen.problem == "NoSuchWord()")
        #expect(journal.lines.count == 2)
        #expect(journal.lines.last?.hasPrefix("failed(") == true)
    }
}
