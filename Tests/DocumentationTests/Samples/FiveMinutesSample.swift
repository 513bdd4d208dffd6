// The samples of Sources/Backplane/Backplane.docc/BoardsInFiveMinutes.md, with tests.

import Backplane
import Observation
import Testing

struct Book: Hashable, Sendable {
    let isbn: String
    let title: String
}

enum Shelf: BoardContract {
    typealias Output = Book  // the picked book
}

enum BookPage: BoardContract {
    typealias Input = Book
    enum Output: Equatable { case borrowed(isbn: String) }
    enum Command { case markAsLent }
}

@MainActor @Observable final class BookModel {
    let title: String
    fileprivate(set) var isBorrowing = false
    fileprivate(set) var isLent = false
    /// The action of the "Borrow" button.
    @ObservationIgnored let borrow: () -> Void

    init(title: String, borrow: @escaping () -> Void) {
        self.title = title
        self.borrow = borrow
    }
}

@MainActor final class BookBoard: Board {
    let slot: Slot<BookPage>
    private let lend: (Book) async throws -> Void
    private let show: (BookModel?) -> Void
    private var model: BookModel?

    init(
        slot: Slot<BookPage>,
        lend: @escaping (Book) async throws -> Void,
        show: @escaping (BookModel?) -> Void
    ) {
        self.slot = slot
        self.lend = lend
        self.show = show
    }

    func activate(with book: Book) {
        let model = BookModel(title: book.title) { [weak self] in self?.borrow(book) }
        self.model = model
        show(model)
    }

    func receive(_ command: BookPage.Command) {
        switch command {
        case .markAsLent: model?.isLent = true
        }
    }

    func didEnd(_ completion: Completion) {
        show(nil)
    }

    private func borrow(_ book: Book) {
        model?.isBorrowing = true
        task {
            try await self.lend(book)  // an error completes the board with .failed(error)
            self.complete(sending: .borrowed(isbn: book.isbn))
        }
    }
}

@MainActor @Observable final class ShelfModel {
    let books: [Book]
    @ObservationIgnored let pick: (Book) -> Void

    init(books: [Book], pick: @escaping (Book) -> Void) {
        self.books = books
        self.pick = pick
    }
}

@MainActor struct ShelfBoard: Board {
    let slot: Slot<Shelf>
    let books: [Book]
    let show: (ShelfModel) -> Void

    func activate(with input: Void) {
        show(ShelfModel(books: books) { [slot] book in slot.send(book) })
    }
}

@MainActor struct LendingModule: BoardModule {
    let lend: (Book) async throws -> Void
    let show: (BookModel?) -> Void

    func register(on motherboard: Motherboard) {
        motherboard.register { slot in BookBoard(slot: slot, lend: lend, show: show) }
    }
}

@MainActor @Observable final class Library {
    private(set) var shelf: ShelfModel?
    private(set) var page: BookModel?
    @ObservationIgnored private let motherboard = Motherboard.onMain()

    init(books: [Book], lend: @escaping (Book) async throws -> Void) {
        motherboard.register { slot in
            ShelfBoard(slot: slot, books: books) { [weak self] in self?.shelf = $0 }
        }
        motherboard.install(LendingModule(lend: lend) { [weak self] in self?.page = $0 })

        motherboard.registerFlowSteps(Shelf.id ->>> BookPage.id)
        motherboard.activate(Shelf.id)
    }
}

@MainActor @Test func `picking a book shows its page`() {
    let walden = Book(isbn: "9780691096124", title: "Walden")
    let library = Library(books: [walden]) { _ in }

    library.shelf?.pick(walden)  // a tap calls this closure

    #expect(library.page?.title == "Walden")
}

@MainActor @Test func `borrowing a book is the result of its page`() async throws {
    let walden = Book(isbn: "9780691096124", title: "Walden")
    let motherboard = Motherboard()
    var lent: [Book] = []
    motherboard.install(LendingModule(lend: { lent.append($0) }, show: { $0?.borrow() }))

    let result = try await motherboard.result(of: BookPage.id, with: walden)

    #expect(result == .borrowed(isbn: walden.isbn))
    #expect(lent == [walden])
}

@MainActor @Test func `every call returns its outcome`() {
    let walden = Book(isbn: "9780691096124", title: "Walden")
    let utopia = Book(isbn: "9780140449105", title: "Utopia")
    let motherboard = Motherboard()
    var shown: BookModel?
    motherboard.install(LendingModule(lend: { _ in }, show: { shown = $0 ?? shown }))

    #expect(motherboard.activate(Shelf.id).state == .noSuchBoard)  // the shelf is not registered

    let first = motherboard.activate(BookPage.id, with: walden)
    #expect(first.state == .active)
    #expect(motherboard.send(.markAsLent, to: BookPage.id) == .delivered(1))

    let second = motherboard.activate(BookPage.id, with: utopia)  // the same board with another input
    #expect(first.state == .superseded)

    second.complete(.cancelled)  // the page was closed
    #expect(second.state == .completed)
    #expect(motherboard.send(.markAsLent, to: BookPage.id) == .notLive)
    #expect(shown?.isLent == false)
}

@MainActor private func answer(of walden: Book, on motherboard: Motherboard) async throws -> String {
    do {
        switch try await motherboard.result(of: BookPage.id, with: walden) {
        case .borrowed(let isbn): return "borrowed \(isbn)"
        }
    } catch let error as BoardError where error.code == .completedWithoutOutput {
        return "the page was closed"
    }
}

@MainActor @Test func `a closed page has no result, and a failed page throws its error`() async throws {
    struct OutOfStock: Error {}
    let walden = Book(isbn: "9780691096124", title: "Walden")

    let closing = Motherboard()
    closing.register { slot in
        BookBoard(slot: slot, lend: { _ in }, show: { if $0 != nil { slot.complete() } })
    }
    #expect(try await answer(of: walden, on: closing) == "the page was closed")

    let failing = Motherboard()
    failing.install(LendingModule(lend: { _ in throw OutOfStock() }, show: { $0?.borrow() }))
    await #expect(throws: OutOfStock.self) { try await answer(of: walden, on: failing) }
}

@MainActor @Test func `the page disappears when its board ends`() async throws {
    let walden = Book(isbn: "9780691096124", title: "Walden")
    let library = Library(books: [walden]) { _ in }
    library.shelf?.pick(walden)
    let page = try #require(library.page)
    page.borrow()
    #expect(page.isBorrowing)
    await withCheckedContinuation { continuation in
        withObservationTracking {
            _ = library.page
        } onChange: {
            continuation.resume()
        }
    }
    #expect(library.page == nil)
}
