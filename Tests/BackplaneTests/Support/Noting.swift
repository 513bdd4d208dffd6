import Backplane

/// A board with a journal as input and output, whose lifetime a test can watch.
enum Diary: BoardContract {
    typealias Input = Journal
    typealias Output = Journal
}

extension BoardID<Diary> {
    static var diary: Self { "diary" }
}

extension Motherboard {
    /// Registers a board, activates it and returns it.
    @discardableResult
    func enter<Contract>(_ id: BoardID<Contract>, with input: Contract.Input) -> ProbeBoard<Contract> {
        weak var entered: ProbeBoard<Contract>?
        probe(id) { board, _ in entered = board }
        activate(id, with: input)
        guard let entered else { preconditionFailure("'\(id)' waits at a gate.") }
        return entered
    }

    /// Registers boards that send their inputs.
    func echo<Contract>(_ ids: BoardID<Contract>...) where Contract.Input == Contract.Output {
        for id in ids { probe(id) { board, input in board.send(input) } }
    }

    /// Notes the outputs of boards, with the name of the board if there are several.
    func noteOutputs<Contract>(of ids: BoardID<Contract>..., in journal: Journal) {
        for id in ids {
            registerFlow(from: id) { output, _ in journal.note(ids.count > 1 ? "\(id) \(output)" : "\(output)") }
        }
    }

    /// Notes the completions of boards, with the name of the board if there are several.
    func noteCompletions<Contract>(of ids: BoardID<Contract>..., in journal: Journal) {
        for id in ids {
            registerCompletionFlow(id) { completion, _ in
                journal.note(ids.count > 1 ? "\(id) \(completion)" : "\(completion)")
            }
        }
    }
}

/// Returns the code of the error that `body` throws, `nil` if it is another error or none.
nonisolated(nonsending) func boardError<Result>(_ body: () async throws -> Result) async -> BoardError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? BoardError)?.code
    }
}
