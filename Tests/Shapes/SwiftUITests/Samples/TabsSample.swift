// The samples of Sources/BackplaneSwiftUI/BackplaneSwiftUI.docc/Tabs.md, with a test.

import Backplane
import BackplaneNavigation
import BackplaneSwiftUI
import Foundation
import SwiftUI
import Testing

enum LibraryScreen {
    case books
    case book(String)
    case settings
}

enum BookPage: BoardContract {
    typealias Input = String
}

@MainActor struct BookBoard: Board {
    let slot: Slot<BookPage>
    let navigator: Navigator<LibraryScreen>
    let tab: Place<LibraryScreen>

    func activate(with title: String) {
        navigator.select(tab)
        pair(with: navigator.push(.book(title)))
    }
}

@MainActor final class LibraryWindow: LifetimeOwner {
    let lifetime = Lifetime()
    let navigator = Navigator<LibraryScreen>.onMain()
    let motherboard = Motherboard.onMain()
    let links = LinkReceiver()

    init() {
        motherboard.pair(with: self)
        let tabs = navigator.setTabs([.books, .settings])
        motherboard.register(reuse: .perActivation) { [navigator] slot in
            BookBoard(slot: slot, navigator: navigator, tab: tabs[0])
        }
        motherboard.registerLink("book/{title}", to: BookPage.id)
        motherboard.allowLinks(schemes: ["library"])
    }
}

struct LibraryWindowView: View {
    let window: LibraryWindow

    var body: some View {
        NavigatorView(window.navigator) { screen in
            switch screen {
            case .books: BooksView()
            case .book(let title): Text(title).font(.title)
            case .settings: Text("Large print")
            }
        } tab: { root in
            if case .settings = root {
                Label("Settings", systemImage: "gear")
            } else {
                Label("Books", systemImage: "book")
            }
        }
        .environment(\.motherboard, window.motherboard)
        .onLinks(window.links) { url in
            guard window.motherboard.canOpen(url), window.navigator.uncover() else { return }
            window.motherboard.open(url)
        }
    }
}

struct BooksView: View {
    @Environment(\.motherboard) private var motherboard

    var body: some View {
        Button("Walden") { motherboard?.activate(BookPage.id, with: "Walden") }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct TabsSampleTests {
    @Test func `a link opens its page in the tab of its board`() async throws {
        let window = LibraryWindow()
        let host = ShapeHost { LibraryWindowView(window: window) }
        #expect(host.texts.contains("Walden"))
        #expect(host.texts.filter { $0 == "Books" || $0 == "Settings" } == ["Books", "Settings"])

        host.selectTab(1)
        #expect(host.texts.contains("Large print"))
        #expect(!host.texts.contains("Walden"))

        host.open(try #require(URL(string: "library://book/Emma")))
        await host.update { $0.texts.contains("Emma") }
        #expect(!host.texts.contains("Large print"))
        #expect(window.motherboard.isLive(BookPage.id))

        host.goBack()
        #expect(host.texts.contains("Walden"))
        #expect(!window.motherboard.isLive(BookPage.id))
        #expect(host.problems.isEmpty)
    }
}
