import BackplaneFeatures
import Testing

/// M17: a tuple of functions describes the actions of a screen.
@MainActor
struct ActionTests {
    /// A screen as an app would write it.
    ///
    /// It depends only on its actions.
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
                // The user has dismissed the action.
            } catch {
                problem = "\(error)"
            }
        }
    }

    private struct NoSuchWord: Error {}

    private func record<Output>(_ journal: Journal) -> (String, Result<Output, any Error>?) -> Void {
        { input, end in journal.lines.append(end.map { "\(input): \($0)" } ?? "\(input)") }
    }

    private final class Journal {
        var lines: [String] = []
    }

    @Test func `an action receives its context and returns on the caller's actor`() async {
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

    @Test func `an observed action keeps its result and reports its start and its end`() async {
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
        #expect(journal.lines == ["Hel", "completing", #"Hel: success("Hello")"#])
        journal.lines = []
        #expect(screen.actions.count(screen, "abc") == 3)
        #expect(journal.lines == ["abc", "counting", "abc: success(3)"])
    }

    @Test func `a dismissed action throws CancellationError and leaves the state unchanged`() async {
        let journal = Journal()
        let complete: Action<Screen, String, String>.Async = { _, _ in throw CancellationError() }
        let screen = Screen(actions: (Action.observed(complete, by: record(journal)), { _, _ in 0 }))
        await screen.complete()
        #expect(screen.text == "Hel")
        #expect(screen.problem == nil)
        #expect(journal.lines == ["Hel", "Hel: failure(Swift.CancellationError())"])
    }

    @Test func `an observed action that fails reports its error and throws that error`() async {
        let journal = Journal()
        let complete: Action<Screen, String, String>.Async = { _, _ in throw NoSuchWord() }
        let screen = Screen(actions: (Action.observed(complete, by: record(journal)), { _, _ in 0 }))
        await screen.complete()
        #expect(screen.problem == "NoSuchWord()")
        #expect(journal.lines.count == 2)
        #expect(journal.lines.last?.hasPrefix("Hel: failure(") == true)
    }
}
