@testable import BackplaneFeatures

/// A server with one record, as the rules ask of it: a request with a key it has seen gets the answer it got then.
struct ModelServer<Value: Equatable> {
    enum Answer {
        case done(Mutation<Value>.Reply, revision: Int?)
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

    /// The record and its revision; nil if it is not there.
    func read() -> (value: Value, revision: Int?)? {
        content.value.map { ($0, hasRevisions ? revision : nil) }
    }

    /// Does what is asked for, if that is welcome and can be done, and answers; with the record in it if that is wanted.
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
