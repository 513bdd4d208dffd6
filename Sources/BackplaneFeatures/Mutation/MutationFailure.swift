/// A mutation that failed, until somebody has seen it.
package struct MutationFailure {
    package let id: IdempotencyKey
    /// Earlier mutations that it took the place of, and that failed with it.
    let superseded: [IdempotencyKey]
    package let label: String?
    package let outcome: MutationOutcome

    var ids: [IdempotencyKey] { superseded + [id] }
}
