public import BackplaneFeatures
public import BackplaneNetworking
import BackplaneTesting

/// The contract of every `ChangeSender`, as checks that you run on the senders of your own app.
///
/// Because of this contract, a feature sees no difference between a change that exists only in
/// memory and one that survives the end of the process. A clause makes changes of a list of words
/// in front of a server that confirms, refuses or does not respond. A violated clause fails the
/// calling test at the line of the call. The message says what was expected and what happened.
///
/// ```swift
/// @Test(arguments: ChangeSenderContract.allClauses)
/// func `changes in memory keep the contract`(_ clause: ChangeSenderContract.Clause) async {
///     await clause.check { trial in
///         ChangeSender { (change: ChangeSenderContract.Change, list: String, key) in
///             try await trial.controller.request(change.endpoint(of: list), key: "\(key)")
///         }
///     }
/// }
/// ```
public enum ChangeSenderContract {
    /// All clauses of the contract.
    ///
    /// Later versions may have more clauses.
    public static let allClauses: [Clause] = attempts + refusals + endings

    /// A change of a list of words.
    public enum Change: RecordChange {
        /// Adds a word at the end of the list.
        case add(String)
        /// Removes a word; the intent throws if the list does not have it.
        case remove(String)

        struct NoSuchWord: Error {}

        /// The effect on the list.
        public var intent: Intent<[String]> {
            switch self {
            case .add(let word): .edit { $0.append(word) }
            case .remove(let word):
                .edit { words in
                    guard let index = words.firstIndex(of: word) else { throw NoSuchWord() }
                    words.remove(at: index)
                }
            }
        }

        /// Returns the request that tells the server of the trial about the change.
        public func endpoint(of list: String) -> AuthenticatedIdempotentEndpoint<Void> {
            AuthenticatedIdempotentEndpoint<Void>(.put("lists/\(list)", body: .json(self)))
        }

        /// A short text, which is also the label of the change.
        var text: String {
            switch self {
            case .add(let word): "+\(word)"
            case .remove(let word): "-\(word)"
            }
        }
    }

    /// One requirement for a sender; its description is a sentence that states the requirement.
    public struct Clause: Sendable, CustomStringConvertible {
        /// The behavior of a sender that keeps the clause.
        public let description: String
        private let body: @MainActor @Sendable (Trial) async throws -> Void

        init(_ description: String, _ body: @escaping @MainActor @Sendable (Trial) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Fails the test if a sender violates this clause.
        ///
        /// A clause about a restart calls the closure once more, for the sender of the next
        /// process. If the sender keeps its changes in a file, the closure ends the earlier sender,
        /// and opens the same file again. The timeout only ends a check that hangs.
        @MainActor
        public func check(
            within timeout: Duration = .seconds(60),
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column,
            _ makeSender: @escaping @MainActor (Trial) async throws -> ChangeSender<String, [String]>
        ) async {
            let site = TestSite(fileID, filePath, line, column)
            let body = body
            do {
                let trial = try Trial(makeSender)
                await checkClause(description, of: "sender", within: timeout, at: site) {
                    await trial.step
                } _: {
                    try await body(trial)
                } end: {
                    await trial.end()
                }
            } catch {
                site.fail("The check of “\(description)” could not begin: \(error)")
            }
        }
    }
}
