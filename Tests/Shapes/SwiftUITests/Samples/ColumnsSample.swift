// The samples of Sources/BackplaneSwiftUI/BackplaneSwiftUI.docc/Columns.md, with tests.

import Backplane
import BackplaneNavigation
import BackplaneSwiftUI
import SwiftUI
import Testing

enum LetterScreen {
    case letters
    case letter(String)
}

enum LetterPage: BoardContract {
    typealias Input = String
}

@MainActor struct LetterBoard: Board {
    let slot: Slot<LetterPage>
    let detail: Navigator<LetterScreen>

    func activate(with subject: String) {
        pair(with: detail.setRoot(.letter(subject)))
    }
}

@MainActor final class LettersWindow: LifetimeOwner {
    let lifetime = Lifetime()
    let list = Navigator<LetterScreen>.onMain()
    let detail = Navigator<LetterScreen>.onMain()
    let motherboard = Motherboard.onMain()

    init() {
        motherboard.pair(with: self)
        list.setRoot(.letters)
        motherboard.register(reuse: .perActivation) { [detail] slot in LetterBoard(slot: slot, detail: detail) }
    }
}

struct LettersWindowView: View {
    let window: LettersWindow
    @State private var column = NavigationSplitViewColumn.sidebar

    var body: some View {
        NavigationSplitView(preferredCompactColumn: $column) {
            screens(of: window.list)
        } detail: {
            screens(of: window.detail)
        }
        .onChange(of: window.detail.top?.id) { _, top in
            column = top == nil ? .sidebar : .detail
        }
        .environment(\.motherboard, window.motherboard)
    }

    private func screens(of navigator: Navigator<LetterScreen>) -> some View {
        NavigatorView(navigator) { screen in
            switch screen {
            case .letters: LettersView()
            case .letter(let subject): Text(subject).font(.title)
            }
        }
    }
}

struct LettersView: View {
    @Environment(\.motherboard) private var motherboard

    var body: some View {
        List {
            ForEach(["Invoice", "Invitation"], id: \.self) { subject in
                Button(subject) { motherboard?.activate(LetterPage.id, with: subject) }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ColumnsSampleTests {
    private let window = LettersWindow()
    private let host: ShapeHost

    init() {
        let window = window
        host = ShapeHost { LettersWindowView(window: window) }
    }

    @Test func `a letter takes the place of another one, and the list stays`() async {
        host.tap("Invoice")
        await host.update { $0.texts == ["Invoice", "Invitation", "Invoice"] }
        let first = window.detail.top
        host.tap("Invitation")
        await host.update { $0.texts == ["Invoice", "Invitation", "Invitation"] }
        #expect(first.map(window.detail.places.contains) == false)
        #expect(window.list.places.count == 1)
        #expect(host.problems.isEmpty)
    }

    @Test func `a narrow window shows the letter, and the list when the letter has left`() async {
        host.isNarrow = true
        #expect(host.texts == ["Invoice", "Invitation"])
        host.tap("Invoice")
        await host.update { $0.texts == ["Invoice"] }
        #expect(window.motherboard.isLive(LetterPage.id))
        window.detail.top?.dismiss()
        await host.update { $0.texts == ["Invoice", "Invitation"] }
        #expect(!window.motherboard.isLive(LetterPage.id))
    }
}
