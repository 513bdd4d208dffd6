import BackplaneConcurrency
import BackplaneNavigation
import BackplaneTesting

/// The questions of a trace, and their outcomes.
final class Questions {
    private final class Question {
        var outcomes: [Int?] = []
        /// The button that the user chose while the dialog was shown or had just been hidden.
        var choice: Int?
        var task: Task<Void, Never>?
    }

    private let navigator: Navigator<Int>
    private let owner: any Actor
    private var questions: [Question] = []
    private var random: SeededGenerator

    init(of navigator: Navigator<Int>, on owner: any Actor, seed: UInt64) {
        self.navigator = navigator
        self.owner = owner
        random = SeededGenerator(seed: seed)
    }

    /// Asks, or lets the user choose, hide, or both in one turn.
    func touch() {
        let layer = navigator.layers[random.below(navigator.layers.count)]
        switch random.below(6) {
        case 0, 1: ask()
        case 2: layer.dialog.map(choose)
        case 3: layer.isAsking = false
        case 4:
            guard let dialog = layer.dialog else { return }
            layer.isAsking = false
            choose(dialog)
        default:
            guard let dialog = layer.dialog else { return }
            choose(dialog)
            layer.isAsking = false
        }
    }

    private func ask() {
        let question = Question()
        let number = questions.count
        questions.append(question)
        let dialog = Dialog("\(number)", choices: [.init("no", 0), .init("yes", 1)])
        let navigator = navigator
        question.task = startTask(on: owner, immediately: true) {
            let answer: Int?
            do { answer = try await navigator.ask(dialog) } catch { answer = nil }
            question.outcomes.append(answer)
        }
    }

    private func choose(_ dialog: PresentedDialog) {
        guard let question = Int(dialog.title).map({ questions[$0] }) else { return }
        let choice = random.below(3)
        if question.choice == nil { question.choice = choice }
        dialog.choose(choice)
    }

    /// Closes the window, waits for all outcomes, and returns a violated rule.
    func finish() async -> String? {
        navigator.close()
        for (number, question) in questions.enumerated() {
            await question.task?.value
            let expected = question.choice == 2 ? nil : question.choice
            if question.outcomes != [expected] {
                return
                    "question \(number) has the outcomes \(question.outcomes), expected one: \(String(describing: expected))"
            }
        }
        return nil
    }
}
