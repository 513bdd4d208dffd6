// The view of Sources/Backplane/Backplane.docc/BoardsInFiveMinutes.md, with a test. The boards and
// models of that page are in Tests/DocumentationTests. Here are the parts of them that the view
// reads.

import Observation
import SwiftUI
import Testing

enum FiveMinutes {
    struct Book {
        let isbn: String
        let title: String
    }

    @MainActor @Observable final class BookModel {
        let title: String
        private(set) var isBorrowing = false

        init(title: String) {
            self.title = title
        }

        func borrow() { isBorrowing = true }
    }

    @MainActor @Observable final class ShelfModel {
        let books = [Book(isbn: "9780691096124", title: "Walden")]
        @ObservationIgnored let pick: (Book) -> Void

        init(pick: @escaping (Book) -> Void) {
            self.pick = pick
        }
    }

    @MainActor @Observable final class Library {
        private(set) var shelf: ShelfModel?
        private(set) var page: BookModel?

        init() {
            shelf = ShelfModel { [weak self] book in self?.page = BookModel(title: book.title) }
        }
    }

    struct LibraryView: View {
        let library: Library

        var body: some View {
            if let page = library.page {
                Text(page.title)
                Button("Borrow", action: page.borrow).disabled(page.isBorrowing)
            } else if let shelf = library.shelf {
                ForEach(shelf.books, id: \.isbn) { book in Button(book.title) { shelf.pick(book) } }
            }
        }
    }
}

@Suite @MainActor struct LibrarySampleTests {
    @Test func `a tap on a book shows its page`() {
        let library = FiveMinutes.Library()
        let host = ShapeHost { FiveMinutes.LibraryView(library: library) }
        #expect(host.texts == ["Walden"])
        host.tap("Walden")
        #expect(host.texts == ["Walden", "Borrow"])
        host.tap("Borrow")
        #expect(host.isEnabled("Borrow") == false)
    }
}
