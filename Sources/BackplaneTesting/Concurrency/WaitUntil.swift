import Observation

/// Waits until a condition holds, and checks it again whenever an observed value changes.
///
/// The condition reads `@Observable` objects of the current actor: a model, a loader, a navigator.
/// A change of any other value is not noticed.
///
/// ```swift
/// let question = Task { try await navigator.ask(dialog) }
/// await waitUntil { navigator.topLayer.isAsking }
/// navigator.topLayer.dialog?.choose(0)
/// ```
///
/// **Cancellation.** The function also returns when its task is cancelled. If the condition never
/// holds, the time limit of the test ends the wait.
///
/// - Parameters:
///   - isolation: the actor of the caller; keep the default.
///   - condition: the condition, called on the actor of the caller.
public func waitUntil(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async {
    while !Task.isCancelled {
        let (changes, change) = AsyncStream<Void>.makeStream()
        let holds = withObservationTracking(condition) {
            // This is called before the change, and the waiting code continues after it.
            change.finish()
        }
        if holds { return }
        for await _ in changes {}
    }
}
