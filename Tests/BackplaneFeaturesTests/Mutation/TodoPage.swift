import BackplaneFeatures
import BackplaneTesting

/// A definite rejection.
struct Refused: DefiniteRejection {}

/// A failure that leaves the outcome on the server unknown.
struct NoAnswer: Error {}

/// A loader of lists of texts whose loads and sends are completed by the test.
@MainActor final class TodoPage {
    let clock = ManualClock()
    let loads = LoadStub<Int, [String]>()
    let sends = LoadStub<IdempotencyKey, [String]?>()
    let store: RecordStore<Int, [String]>
    let todos: Loader<Int, [String]>

    init() {
        store = RecordStore(clock: clock)
        todos = Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    /// Creates a page with a loaded list.
    static func showing(_ texts: [String]) async -> TodoPage {
        let page = TodoPage()
        page.todos.load(1)
        await page.answerLoad(with: texts)
        return page
    }

    func answerLoad(with texts: [String]) async {
        await loads.succeed(request: loads.ids.count + (loads.pending.isEmpty ? 1 : 0), with: texts)
        await todos.settled()
    }

    func append(_ text: String, after others: Set<IdempotencyKey> = []) -> Mutation<[String]> {
        Mutation(.edit { texts in texts.append(text) }, label: text, after: others) { [sends] key in
            MainActor.assertIsolated("A send runs on the loader's actor.")
            return try await sends.load(key)
        } confirming: {
            $0
        }
    }
}

/// Returns the code and the cause of the error that a task throws.
func failure(of task: Task<Void, any Error>) async -> (code: FeatureError.Code, cause: (any Error)?)? {
    do {
        try await task.value
        return nil
    } catch let error as FeatureError {
        return (error.code, error.cause)
    } catch {
        return nil
    }
}
