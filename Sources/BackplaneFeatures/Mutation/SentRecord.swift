/// The entity tag that the server must still have when it carries out a mutation (R3).
///
/// A record sets it while it sends a mutation, and a request that is sent by an endpoint reads it.
package enum SentRecord {
    @TaskLocal package static var entityTag: String?

    /// Runs `operation` with a tag.
    package static func with<Value>(
        entityTag: String?,
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        if entityTag == nil { return try await operation() }
        return try await $entityTag.withValue(entityTag) {
            // A closure that captures the caller's actor runs on it; the standard library would run
            // `operation` elsewhere.
            _ = isolation
            return try await operation()
        }
    }
}
