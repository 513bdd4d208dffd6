internal import BackplaneConcurrency
package import Testing

/// Runs each test twice: as the system can, and as on systems where every call to an actor hops.
package struct EveryOwnerPath: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        try await OwnerCall.alwaysHops.withValue(true) { try await function() }
    }
}

extension Trait where Self == EveryOwnerPath {
    /// Runs a test, or each test of a suite, on both paths to an actor.
    package static var everyOwnerPath: Self { Self() }
}
