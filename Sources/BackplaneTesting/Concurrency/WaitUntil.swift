import Observation

/// Waits until a condition holds, and checks it again whenever an observed value changes.
///
/// The condition is called on the actor of the caller, and reads `@Observable` objects there: a
/// model, a loader, a navigator. A change of any other value is not noticed, so a condition that
/// does not hold and reads nothing else fails the test at once.
///
/// ```swift
/// let question = Task { try await navigator.ask(dialog) }
/// await waitUntil { navigator.topLayer.isAsking }
/// navigator.topLayer.dialog?.choose(0)
/// ```
///
/// **Cancellation.** The function also returns when its task is cancelled. If the condition never
/// holds, the time limit of the test ends the wait.
public func waitUntil(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ condition: () -> Bool
) async {
    while !Task.isCancelled {
        let (changes, change) = AsyncStream<Void>.makeStream()
        var observer: Observer? = Observer()
        weak var observed: Observer?
        observed = observer
        let holds = withObservationTracking(condition) { [observer] in
            _ = observer
            // This is called before the change, and the waiting code continues after it.
            change.finish()
        }
        observer = nil
        if holds { return }
        if observed == nil {
            return TestSite(fileID, filePath, line, column).fail(
                """
                The condition does not hold and reads nothing observable, so no change of it can be noticed. Wait for \
                the cause of the change, for example with an 'AsyncLatch' or 'NetworkStub.requests(atLeast:)'.
                """
            )
        }
        for await _ in changes {}
    }
}

/// An object that lives as long as something notifies the waiting code of a change.
private final class Observer: Sendable {}
