import BackplaneConcurrency
import BackplaneNavigation
import TestSupport
import Testing

/// A question that is asked while lifetimes end, so that it waits for the orders before it.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LateQuestionTests {
    @Test(.rule("V10")) func `a question whose place leaves before it is shown is cancelled`() async {
        let window = TestWindow(pace: .immediate)
        window.root("home")
        let place = window.push("a")
        let leaving = window.navigator.push("b")
        var asking: Task<Void, Never>?
        var isCancelled: Bool?
        window.follow(leaving) {
            place.dismiss()
            asking = startTask(on: MainActor.shared, immediately: true) {
                do {
                    _ = try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 1)]))
                    isCancelled = false
                } catch {
                    isCancelled = error is CancellationError
                }
            }
        }
        leaving.dismiss()
        await asking?.value
        #expect(isCancelled == true)
        #expect(window.navigator.base.dialog == nil)
    }
}
