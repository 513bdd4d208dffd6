@testable import BackplaneFeatures

/// A server with one record that repeats its response to a request with a known key, as the rules
/// require.
struct ModelServer<Value: Equatable> {
    enum Answer {
        case done(Mutation<Value>.Response, revision: Int?)
        case refused
    }

    private(set) var content: RecordContent<Value>
    private let hasRevisions: Bool
    private var revision = 1
    private(set) var answers: [IdempotencyKey: Answer] = [:]

    init(_ value: Value, hasRevisions: Bool) {
        content = .present(value)
        self.hasRevisions = hasRevisions
    }

    /// Returns the record and its revision; `nil` if the record does not exist.
    func read() -> (value: Value, revision: Int?)? {
        content.value.map { ($0, hasRevisions ? revision : nil) }
    }

    /// Performs the mutation if it is welcome and applies, and returns the response.
    ///
    /// The response contains the record if `returnsValue` is `true`.
    mutating func handle(_ mutation: Mutation<Value>, isWelcome: Bool, returnsValue: Bool) -> Answer {
        if let answer = answers[mutation.id] { return answer }
        let answer = answer(to: mutation, isWelcome: isWelcome, returnsValue: returnsValue)
        answers[mutation.id] = answer
        return answer
    }

    mutating func change(_ body: (inout Value) -> Void) {
        guard case .present(var value) = content else { return }
        body(&value)
        content = .present(value)
        revision += 1
    }

    private mutating func answer(to mutation: Mutation<Value>, isWelcome: Bool, returnsValue: Bool) -> Answer {
        guard isWelcome, (try? mutation.intent.apply(to: &content)) != nil else { return .refused }
        revision += 1
        guard returnsValue, let value = content.value else { return .done(.done, revision: nil) }
        return .done(.value(value), revision: hasRevisions ? revision : nil)
    }
}
