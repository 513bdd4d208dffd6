import BackplaneTesting

/// A violation of a contract.
struct ContractViolation: Error, CustomStringConvertible {
    let description: String
}

/// Throws a ``ContractViolation`` unless `condition` is `true`.
func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(description: violation()) }
}

/// Runs the check of a clause of a contract, and fails the test if the clause is violated or the
/// check does not end in time.
///
/// - Parameters:
///   - clause: The clause as a sentence.
///   - subject: The thing that is checked.
///   - timeout: The time after which the check has failed.
///   - site: The place of the failure.
///   - progress: Returns the step at which a check without an end waits.
///   - body: The check; it throws a ``ContractViolation``.
///   - end: Releases what the check has used.
func checkClause(
    _ clause: String,
    of subject: String,
    within timeout: Duration,
    at site: TestSite,
    progress: @escaping @Sendable () async -> String? = { nil },
    _ body: @escaping @Sendable () async throws -> Void,
    end: @escaping @Sendable () async -> Void
) async {
    let violation = Watched<String?>(nil)
    let ended = Tally()
    // The check runs in its own task, because a subject that hangs cannot be awaited.
    let work = Task {
        do {
            try await body()
        } catch let error as ContractViolation {
            violation.update { $0 = error.description }
        } catch {
            violation.update { $0 = "\(error) was thrown." }
        }
        ended.add()
    }
    let outcome = await ended.reach(1, by: .now + timeout)
    let step = outcome == .timedOut ? await progress().map { " It waited until \($0)." } ?? "" : ""
    work.cancel()
    await end()
    switch outcome {
    case .reached:
        if let violation = violation.value { site.fail("The \(subject) violates “\(clause)”: \(violation)") }
    case .timedOut:
        site.fail("The \(subject) violates “\(clause)”: the check did not finish within \(timeout).\(step)")
    case .cancelled: site.fail("The check of “\(clause)” did not finish: the test was cancelled.")
    }
}
