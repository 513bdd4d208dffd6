import BackplaneConcurrency
import BackplaneNavigation
import BackplaneTesting
import TestSupport

/// The questions of a trace, and their outcomes.
final class Questions {
    private final class Question {
        var outcomes: [Int?] = []
        /// The button that the user chose while the dialog was shown or had just been hidden.
        var choice: Int?
        let choiceCount: Int
        /// Whether something has happened that may end the question.
        var mayEnd = false
        let layer: Layer<Int>
        let place: Place<Int>?
        var task: Task<Void, Never>?

        init(choiceCount: Int, layer: Layer<Int>) {
            self.choiceCount = choiceCount
            self.layer = layer
            place = layer.stack.places.last
        }
    }

    private let navigator: Navigator<Int>
    private let owner: any Actor
    private var questions: [Question] = []
    /// The dialogs that were shown, also those that have ended.
    private var seen: [PresentedDialog] = []
    private var random: SeededGenerator

    init(of navigator: Navigator<Int>, on owner: any Actor, seed: UInt64) {
        self.navigator = navigator
        self.owner = owner
        random = SeededGenerator(seed: seed)
    }

    /// Asks, or lets the user choose, hide, or both in one turn; or repeats a report.
    func touch() {
        let layer = navigator.layers[random.below(navigator.layers.count)]
        if let dialog = layer.dialog, !seen.contains(where: { $0 === dialog }) { seen.append(dialog) }
        switch random.below(8) {
        case 0..<3: ask()
        case 3: layer.dialog.map(choose)
        case 4: layer.dialog.map { hide($0, of: layer) }
        case 5:
            guard let dialog = layer.dialog else { return }
            hide(dialog, of: layer)
            choose(dialog)
        case 6:
            guard let dialog = layer.dialog else { return }
            choose(dialog)
            hide(dialog, of: layer)
        default:
            guard !seen.isEmpty else { return }
            let dialog = seen[random.below(seen.count)]
            // A question that is not over is not repeated, but touched for the first time.
            if question(of: dialog)?.outcomes.isEmpty == false { dialog.choose(random.below(3)) }
            hide(dialog, of: layer)
        }
    }

    private func ask() {
        let choices = (0..<random.below(3)).map { answer in
            Dialog<Int>.Choice("\(answer)", answer, role: [.normal, .destructive, .cancel][random.below(3)])
        }
        let question = Question(choiceCount: choices.count, layer: navigator.topLayer)
        let dialog = Dialog("\(questions.count)", choices: choices, cancel: random.chance(50) ? "Cancel" : nil)
        question.mayEnd = navigator.isClosed
        questions.append(question)
        let navigator = navigator
        question.task = startTask(on: owner, immediately: true) {
            let answer: Int?
            do { answer = try await navigator.ask(dialog) } catch { answer = nil }
            question.outcomes.append(answer)
        }
    }

    private func question(of dialog: PresentedDialog) -> Question? { Int(dialog.title).map { questions[$0] } }

    private func choose(_ dialog: PresentedDialog) {
        guard let question = question(of: dialog) else { return }
        let choice = random.below(dialog.buttons.count + 1)
        if choice < dialog.buttons.count {
            question.mayEnd = true
            if question.choice == nil { question.choice = choice }
        }
        dialog.choose(choice)
    }

    private func hide(_ dialog: PresentedDialog, of layer: Layer<Int>) {
        if navigator.layers.contains(where: { $0.dialog === dialog }) { question(of: dialog)?.mayEnd = true }
        if random.chance(50) { dialog.hide() } else { layer[isAsking: dialog.id] = false }
    }

    /// Notes that an order may end questions at places that stay.
    func allMayEnd() {
        for question in questions { question.mayEnd = true }
    }

    /// The rule that a question or a dialog violates; `nil` if there is none.
    var violation: String? {
        for layer in navigator.layers {
            guard let dialog = layer.dialog else { continue }
            let ways = dialog.buttons.filter { $0.role == .cancel }
            if dialog.buttons.isEmpty || ways.count > 1 { return "question \(dialog.title) has the wrong buttons" }
        }
        for (number, question) in questions.enumerated() where !question.outcomes.isEmpty && !question.mayEnd {
            let isThere = navigator.layers.contains { $0 === question.layer }
            if isThere, question.place?.dismissal == nil { return "question \(number) ended without a reason" }
        }
        return nil
    }

    /// Closes the window, waits for all outcomes, and returns a violated rule.
    func finish() async -> String? {
        allMayEnd()
        navigator.close()
        for (number, question) in questions.enumerated() {
            await question.task?.value
            let expected = question.choice.flatMap { $0 < question.choiceCount ? $0 : nil }
            if question.outcomes != [expected] {
                return
                    "question \(number) has the outcomes \(question.outcomes), expected one: \(String(describing: expected))"
            }
        }
        return nil
    }
}
