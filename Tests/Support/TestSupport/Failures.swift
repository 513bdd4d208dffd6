import BackplaneConcurrency
package import Testing

/// The message and the line of an issue that failed a test.
package struct Failure: Equatable {
    package let message: String
    package let line: Int?

    init(_ issue: Issue) {
        message = issue.comments.map(\.rawValue).joined(separator: "\n")
        line = issue.sourceLocation?.line
    }
}

/// Returns the failures that `body` reports, without failing the test.
@MainActor package func failures(_ body: () -> Void) -> [Failure] {
    let found = Locked<[Issue]>([])
    withKnownIssue(isIntermittent: true) {
        body()
    } matching: { issue in
        found.withLock { $0.append(issue) }
        return true
    }
    return found.withLock { $0 }.map(Failure.init)
}

/// Returns the failures that the asynchronous `body` reports, without failing the test.
@MainActor package func failuresLater(_ body: () async -> Void) async -> [Failure] {
    let found = Locked<[Issue]>([])
    await withKnownIssue(isIntermittent: true) {
        await body()
    } matching: { issue in
        found.withLock { $0.append(issue) }
        return true
    }
    return found.withLock { $0 }.map(Failure.init)
}

/// Checks that `body` fails the test once, with this message.
@MainActor package func expectFailure(
    _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () -> Void
) {
    #expect(failures(body).map(\.message) == [message], sourceLocation: sourceLocation)
}

/// Checks that the asynchronous `body` fails the test once, with this message.
@MainActor package func expectFailureLater(
    _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async -> Void
) async {
    #expect(await failuresLater(body).map(\.message) == [message], sourceLocation: sourceLocation)
}
