public import BackplaneNetworking
import BackplaneTesting

/// The contract that every `NetworkTransport` must keep, as checks that you run on your own
/// transport.
///
/// A clause uses the transport over a real loopback socket. The server on the other end responds
/// correctly, incorrectly or not at all. A violated clause fails the calling test at the line of
/// the call. The message says what was expected and what happened.
///
/// ```swift
/// struct MyTransportTests {
///     @Test(arguments: NetworkTransportContract.allClauses)
///     func `my transport works`(_ clause: NetworkTransportContract.Clause) async {
///         await clause.check { MyTransport() }
///     }
/// }
/// ```
///
/// In XCTest, check the clauses one after the other in a loop. No clause waits for time to pass, so
/// all clauses together take one or two seconds. Plain HTTP to `127.0.0.1` must be possible. On
/// Apple platforms, an app needs permission for that, but the tests of a package do not.
public enum NetworkTransportContract {
    /// All clauses of the contract.
    ///
    /// Later versions may have more clauses.
    public static let allClauses: [Clause] =
        requests + answers + redirects + bodies + limits + cancellation + brokenAnswers + connections

    /// One requirement for a transport; its description is a sentence that states the requirement.
    public struct Clause: Sendable, CustomStringConvertible {
        /// The behavior of a transport that keeps the clause.
        public let description: String
        private let body: @Sendable (ContractTrial) async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable (ContractTrial) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Fails the test if a transport violates this clause.
        ///
        /// The closure creates the transport. It is called once, on no particular actor. No other
        /// object may hold the transport, because one clause checks what happens when the transport
        /// is released. The timeout only ends a check that hangs.
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
            let body = body
            await checkClause(description, of: "transport", within: timeout, at: site) {
                try await body(trial)
            } end: {
                trial.end()
            }
        }
    }
}
