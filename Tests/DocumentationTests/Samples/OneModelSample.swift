// The samples of Sources/BackplaneNavigation/BackplaneNavigation.docc/OneModelManyFaces.md, with
// tests.

import Backplane
import BackplaneNavigation
import Observation
import Testing

enum Checklist: BoardContract {
    typealias Input = [String]
    enum Output { case finished }
}

@Observable
final class ChecklistModel {
    struct Item: Identifiable {
        let id: Int
        let title: String
        var isDone = false
    }

    private(set) var items: [Item]
    private let onFinish: () -> Void

    init(_ titles: [String], onFinish: @escaping () -> Void) {
        items = titles.enumerated().map { Item(id: $0, title: $1) }
        self.onFinish = onFinish
    }

    func toggle(_ id: Item.ID) {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        items[index].isDone.toggle()
        if items.allSatisfy(\.isDone) { onFinish() }
    }
}

final class ChecklistBoard: Board {
    let slot: Slot<Checklist>
    private let navigator: Navigator<ChecklistModel>

    init(slot: Slot<Checklist>, navigator: Navigator<ChecklistModel>) {
        self.slot = slot
        self.navigator = navigator
    }

    func activate(with titles: [String]) {
        let model = ChecklistModel(titles) { [slot] in slot.complete(sending: .finished) }
        pair(with: navigator.push(model))
    }
}

enum ChecklistText {
    static func lines(of checklist: ChecklistModel) -> [String] {
        checklist.items.map { "\($0.isDone ? "[x]" : "[ ]") \($0.id) \($0.title)" }
    }

    static func perform(_ command: String, on checklist: ChecklistModel) {
        if let id = Int(command) { checklist.toggle(id) }
    }
}

enum ChecklistPage {
    enum Event: String, CaseIterable { case toggle }

    static func handle(_ event: Event, _ fields: [String: String], on checklist: ChecklistModel) {
        switch event {
        case .toggle: fields["item"].flatMap(Int.init).map(checklist.toggle)
        }
    }
}

struct OneModelSampleTests {
    @MainActor @Test func `the last item finishes the checklist`() {
        var isFinished = false
        let checklist = ChecklistModel(["Pack", "Leave"]) { isFinished = true }
        checklist.toggle(0)
        #expect(!isFinished)
        checklist.toggle(1)
        #expect(isFinished)
    }

    @MainActor @Test func `both faces draw the model that the board shows`() {
        let navigator = Navigator<ChecklistModel>(hasTransitions: false)
        let motherboard = Motherboard()
        var outputs = 0
        motherboard.register { slot in ChecklistBoard(slot: slot, navigator: navigator) }
        motherboard.registerFlow(from: Checklist.id) { _, _ in outputs += 1 }
        motherboard.activate(Checklist.id, with: ["Pack", "Leave"])
        guard let checklist = navigator.top?.screen else {
            Issue.record("The board shows nothing.")
            return
        }
        ChecklistText.perform("1", on: checklist)
        #expect(ChecklistText.lines(of: checklist) == ["[ ] 0 Pack", "[x] 1 Leave"])
        ChecklistPage.handle(.toggle, ["item": "0"], on: checklist)
        #expect(outputs == 1)
        #expect(ChecklistPage.Event.allCases == [.toggle])
    }
}
