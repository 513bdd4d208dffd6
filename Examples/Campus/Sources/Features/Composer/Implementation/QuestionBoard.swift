import Backplane
import Screens

/// Puts a question to the writer, whose answer is awaited with `result(of:with:)`.
enum WritersQuestion: BoardContract {
    typealias Input = Question
    /// What the writer has said; a question that is left unanswered completes and says nothing.
    typealias Output = Question.Answer
}

extension BoardID<WritersQuestion> {
    static var question: Self { "question" }
}

/// Asks in a dialog.
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

    /// The dialog leaves, also when the composer ends with the question open.
    func didEnd(_ completion: Completion) {
        if let screen { navigation.dismiss(screen) }
    }
}

extension QuestionBoard: QuestionDelegate {
    func answer(_ answer: Question.Answer?) {
        if let answer { complete(sending: answer) } else { complete(.cancelled) }
    }
}
