import BackplaneConcurrency
import Testing

/// What a test was failed with.
struct Failure: Equatable {
    let message: String
    let line: Int?

    init(_ issue: Issue) {
        message = issue.comments.map(\.rawValue).joined(separator: "\n")
        line = issue.sourceLocation?.line
    }
}

/// The failures that `body` reports, which do not count as such.
@MainActor func failures(_ body: () -> Void) -> [Failure] {
    let found = Locked<[Issue]>([])
    withKnownIssue(isIntermittent: true) {
        body()
    } matching: { issue in
        found.withLock { $0.append(issue) }
        return true
    }
    return found.withLock { $0 }.map(Failure.init)
}

/// The failures that `body` reports, which do not count as such.
@MainActor func failuresLater(_ body: () async -> Void) async -> [Failure] {
    let found = Locked<[Issue]>([])
    await withKnownIssue(isIntermittent: true) {
        await body()
    } matching: { issue in
        found.withLock { $0.append(issue) }
        return true
    }
    return found.withLock { $0 }.map(Failure.init)
}
