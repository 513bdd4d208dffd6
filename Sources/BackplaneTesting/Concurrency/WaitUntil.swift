import Observation

/// Waits until a condition holds, and checks it again whenever an observed value changes.
///
/// The condition is called on the actor of the caller, and reads `@Observable` objects there: a
/// model, a loader, a navigator. The function does not notice changes of other values. So if a
/// condition does not hold and reads no observable object, the test fails at once.
///
/// ```swift
/// let question = Task { try await navigator.ask(dialog) }
/// await waitUntil { navigator.topLayer.isAsking }
/// navigator.topLayer.dialog?.choose(0)
/// ```
///
/// The test fails on timeout, at the line of the call. The timeout only prevents an endless wait: a
/// passing test does not depend on it. When the calling task is cancelled, the function returns.
public func waitUntil(
    within timeout: Duration = .seconds(10),
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ condition: () -> Bool
) async {
    let site = TestSite(fileID, filePath, line, column)
    let deadline = ContinuousClock.now + timeout
    while !Task.isCancelled {
        let change = Tally()
        var observer: Observer? = Observer()
        weak var observed: Observer?
        observed = observer
        let holds = withObservationTracking(condition) { [observer] in
            _ = observer
            // This is called before the change, and the waiting code continues after it.
            change.add()
        }
        observer = nil
        if holds { return }
        // After a change by another thread, the observer is released as well.
        if observed == nil, change.count == 0 {
            return site.fail(
                """
                The condition does not hold and reads nothing observable, so no change of it can be noticed. Wait for \
                the cause of the change, for example with an 'AsyncLatch' or 'NetworkStub.requests(atLeast:)'.
                """
            )
        }
        if await change.reach(1, by: deadline) == .timedOut {
            return site.fail("The condition did not hold within \(timeout).")
        }
    }
}

/// An object that lives as long as something notifies the waiting code of a change.
private final class Observer: Sendable {}
