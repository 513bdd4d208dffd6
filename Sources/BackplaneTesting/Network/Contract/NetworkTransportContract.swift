public import BackplaneNetworking

/// What every `NetworkTransport` must do, as checks to run on one of your own.
///
/// A clause talks to the transport over a real loopback socket, on whose other end is a server that answers well, badly, or not
/// at all. It fails the test it is called from, at the line of the call, and says what was expected and what happened.
///
/// ```swift
/// struct MyTransportTests {
///     @Test(arguments: NetworkTransportContract.allClauses)
///     func `my transport keeps the contract`(_ clause: NetworkTransportContract.Clause) async {
///         await clause.check { MyTransport() }
///     }
/// }
/// ```
///
/// In XCTest, check them one after the other in a loop. Nothing waits for time to pass, so that all of it takes a second or
/// two; plain HTTP to `127.0.0.1` must be possible, which on Apple's platforms an app needs to be allowed and a package's
/// tests do not.
public enum NetworkTransportContract {
    /// All there is to keep.
    ///
    /// Later versions may have more clauses.
    public static let allClauses: [Clause] =
        requests + answers + redirects + bodies + limits + cancellation + brokenAnswers + connections

    /// One thing that a transport must do; its description is a sentence that says what.
    public struct Clause: Sendable, CustomStringConvertible {
        /// What the transport does if it keeps the clause.
        public let description: String
        private let body: @Sendable (ContractTrial) async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable (ContractTrial) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Fails the test if a transport does not keep this clause.
        ///
        /// The closure makes the transport; it is called once, on no particular actor. Nobody else may hold what it makes,
        /// since one of the clauses is about what happens when a transport is let go. The time is when to give up on a
        /// transport that hangs; nothing else is measured by it.
        public func check(
            within timeout: Duration = .seconds(60),
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ makeTransport: @escaping @Sendable () async throws -> any NetworkTransport
        ) async {
            let site = TestSite(fileID, filePath, line, column)
            let trial = ContractTrial(makeTransport)
            let violation = Watched<String?>(nil)
            let ended = Tally()
            // A task of its own, because a transport that hangs cannot be waited for.
            let work = Task {
                do {
                    try await body(trial)
                } catch let error as ContractViolation {
                    violation.update { $0 = error.description }
                } catch {
                    violation.update { $0 = "\(error) was thrown." }
                }
                ended.add()
            }
            let outcome = await ended.reach(1, by: .now + timeout)
            work.cancel()
            trial.end()
            switch outcome {
            case .reached:
                if let violation = violation.value { site.fail("“\(description)” is not so: \(violation)") }
            case .timedOut: site.fail("“\(description)” is not so: the transport did not get there within \(timeout).")
            case .cancelled: site.fail("“\(description)” was not checked to its end: the test was cancelled.")
            }
        }
    }
}
