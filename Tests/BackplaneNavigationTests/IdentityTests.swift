import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.rule("V20")) struct IdentityTests {
    @Test func `each root of a window has its own ID`() {
        let window = TestWindow()
        let ids = (0..<200).map { window.navigator.setRoot("page \($0)").id }
        #expect(Set(ids).count == 200)
    }

    @Test func `each layer, each stack and each dialog has its own ID`() async {
        let window = TestWindow(pace: .immediate)
        var ids: [Int] = []
        for number in 0..<50 {
            window.navigator.setTabs(["home", "search"])
            window.navigator.present("sheet")
            let question = Task { try await window.navigator.ask(Dialog("\(number)", choices: [.init("yes", 1)])) }
            let layer = window.navigator.topLayer
            await waitUntil { layer.isAsking }
            ids += window.navigator.base.stacks.map(\.id) + [layer.id, layer.stack.id]
            if let dialog = layer.dialog { ids.append(dialog.id) }
            window.navigator.returnHome()
            _ = await question.result
        }
        #expect(Set(ids).count == 250)
    }
}
