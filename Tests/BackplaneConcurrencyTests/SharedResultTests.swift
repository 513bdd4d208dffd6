import BackplaneConcurrency
import TestSupport
import Testing

private final class Word: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

@Suite(.timeLimit(.minutes(5)))
struct SharedResultTests {
    private let answer = SharedResult()

    /// Starts a caller that waits, and cancels it in advance if `isCancelled` is `true`.
    private func caller(_ number: Int, isCancelled: Bool = false) -> Task<Word?, Never> {
        let answer = answer
        return Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            return await answer.wait(as: number).map { uncheckedDowncast($0, to: Word.self) }
        }
    }

    @Test func `every current and later caller gets the result`() async {
        let early = (0..<3).map { caller($0) }
        for _ in 0..<20 { await Task.yield() }
        let word = Word("yes")
        answer.resolve(word)
        for task in early { #expect(await task.value === word) }
        #expect(await caller(3).value === word)
    }

    @Test func `only the first result counts`() async {
        let (first, second) = (Word("yes"), Word("no"))
        answer.resolve(first)
        answer.resolve(second)
        #expect(await caller(0).value === first)
    }

    @Test(.rule("C2")) func `a cancelled caller resumes without a result, and the others keep waiting`() async {
        let (ada, grace) = (caller(0), caller(1))
        ada.cancel()
        #expect(await ada.value == nil)
        let word = Word("yes")
        answer.resolve(word)
        #expect(await grace.value === word)
    }

    @Test(.rule("C6")) func `a caller that is already cancelled does not wait, and frees its number`()
        async
    {
        #expect(await caller(0, isCancelled: true).value == nil)
        let again = caller(0)
        let word = Word("yes")
        answer.resolve(word)
        #expect(await again.value === word)
    }

    @Test func `a caller that waits on an actor resumes on that actor`() async {
        let waiting = Task { @MainActor [answer] in
            _ = await answer.wait(as: 0)
            MainActor.assertIsolated()
        }
        answer.resolve(Word("yes"))
        await waiting.value
    }

    @Test func `with random results, callers and cancellations, every caller resumes once`() async {
        for round in 0..<20 {
            let answer = SharedResult()
            let word = Word("yes")
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let task = Task { await answer.wait(as: number) != nil }
                        if number.isMultiple(of: 3) { task.cancel() }
                        let isAnswered = await task.value
                        #expect(isAnswered || number.isMultiple(of: 3))
                    }
                    if number == round % 20 { group.addTask { answer.resolve(word) } }
                }
            }
        }
    }
}
