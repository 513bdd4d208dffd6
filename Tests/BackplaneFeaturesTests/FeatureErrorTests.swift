import Testing

@testable import BackplaneFeatures

struct FeatureErrorTests {
    private struct Secret: Error {
        let token = "s3cret"
    }

    @Test func `an error describes the mutation, the failure and the remedy without the data that was sent`() throws {
        let id = IdempotencyKey()
        for outcome: MutationOutcome in [
            .rejected(Secret()), .targetMissing(Secret()), .dependencyFailed(on: "tick"), .sessionEnded,
        ] {
            let error = try #require(FeatureError(outcome, of: id, label: nil))
            #expect(error.description.hasPrefix("Mutation \(id): "))
            #expect(!String(reflecting: error).contains("s3cret"))
        }
        let error = FeatureError.unconfirmed(id, label: "tick", cause: Secret())
        #expect(error.description.hasPrefix("Mutation 'tick': The outcome is unknown."))
        #expect(FeatureError(.acknowledged, of: id, label: nil) == nil)
    }
}
