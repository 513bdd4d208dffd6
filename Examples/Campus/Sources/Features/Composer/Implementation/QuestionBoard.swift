import Backplane
import Screens

/// A question to the writer; use `result(of:with:)` to wait for the answer.
enum WritersQuestion: BoardContract {
    typealias Input = Question
    /// The writer's answer; a dismissed question completes without an output.
    typealias Output = Question.Answer
}

extension BoardID<WritersQuestion> {
    static var question: Self { "question" }
}

/// A board that shows the question in a dialog.
final class QuestionBoard: Board {
    let slot: Slot<WritersQuestion>
    private let navigation: Navigation
    private var screen: QuestionScreen?

    init(slot: Slot<WritersQuestion>, navigation: Navigation) {
        self.slot = slot
        self.navigation = navigation
    }

    func activate(with question: Question) {
        let screen = QuestionScreen(question, path: "/compose/question")
        screen.delegate = self
        self.screen = screen
        pair(with: navigation.present(screen))
    }

    /// Closes the dialog, also when the composer ends while the question is open.
    func didEnd(_ completion: Completion) {
        if let screen { navigation.dismiss(screen) }
    }
}

extension QuestionBoard: QuestionDelegate {
    func answer(_ answer: Question.Answer?) {
        if let answer { complete(sending: answer) } else { complete(.cancelled) }
    }
}
