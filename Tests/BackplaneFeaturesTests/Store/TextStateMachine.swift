@testable import BackplaneFeatures

/// A record whose value is a list of texts.
typealias TextMachine = RecordStateMachine<[String]>

private struct NothingToRemove: Error {}

extension Mutation<[String]> {
    /// Creates a mutation that the server confirms without a value.
    init(_ intent: Intent<[String]>, after others: Set<IdempotencyKey> = []) {
        self.init(intent, dependencies: others) { _ in .done }
    }

    static func append(_ text: String, after others: Set<IdempotencyKey> = []) -> Self {
        Mutation(.edit { $0.append(text) }, after: others)
    }

    static func remove(_ text: String) -> Self {
        Mutation(
            .edit { texts in
                guard let index = texts.firstIndex(of: text) else { throw NothingToRemove() }
                texts.remove(at: index)
            }
        )
    }

    static func set(_ text: String, after others: Set<IdempotencyKey> = []) -> Self {
        Mutation(.set(\.self, to: [text]), after: others)
    }

    static func create(_ text: String) -> Self { Mutation(.replace([text])) }

    static func delete() -> Self { Mutation(.delete) }
}

/// Returns the effects as text, with the names of their mutations.
func text(_ effects: [TextMachine.Effect], _ names: [String: Mutation<[String]>] = [:]) -> [String] {
    func name(_ id: IdempotencyKey) -> String { names.first { $0.value.id == id }?.key ?? "?" }
    return effects.map { effect in
        switch effect {
        case .send(let mutation): "send \(name(mutation.id))"
        case .settle(let ids, let outcome):
            "\(ids.map(name).joined(separator: ",")) \("\(outcome)".prefix { $0 != "(" })"
        case .reload: "reload"
        }
    }
}

extension TextMachine {
    /// Creates a record that has loaded this value.
    static func showing(_ texts: [String]) -> Self {
        let machine = Self()
        machine.load(texts)
        return machine
    }

    func load(_ value: [String], revision: Int? = nil) {
        let load = beginLoad()
        _ = finish(load, with: value, revision: revision)
    }
}

extension RecordStateMachine {
    /// Reports that the server has refused a mutation.
    func reject(_ id: IdempotencyKey, _ error: any Error) -> [Effect] { withdraw(id, .rejected(error)) }
}
