// The samples of Sources/Backplane/Backplane.docc/Activations.md, with tests.

import Backplane
import Testing

struct Book: Hashable, Sendable {
    let isbn: String
}

enum Shelf: BoardContract {}

enum BookPage: BoardContract {
    typealias Input = Book
    enum Output: Equatable { case borrowed(isbn: String) }
    enum Command { case markAsLent }
}

@MainActor private struct BookBoard: Board {
    let slot: Slot<BookPage>
    /// Lends the book at once, if the user does.
    var lend: ((Book) async throws -> Void)?

    func activate(with book: Book) {
        guard let lend else { return }
        task {
            try await lend(book)
            complete(sending: .borrowed(isbn: book.isbn))
        }
    }

    func receive(_ command: BookPage.Command) {}
}

private let walden = Book(isbn: "9780691096124")
private let utopia = Book(isbn: "9780140449105")

@MainActor @Test func `every call returns its outcome`() {
    let motherboard = Motherboard()
    motherboard.register { slot in BookBoard(slot: slot) }

    #expect(motherboard.activate(Shelf.id).state == .noSuchBoard)  // it is not registered

    let first = motherboard.activate(BookPage.id, with: walden)
    #expect(first.state == .active)
    #expect(motherboard.send(.markAsLent, to: BookPage.id) == .delivered(1))

    let second = motherboard.activate(BookPage.id, with: utopia)  // the same board with another input
    #expect(first.state == .superseded)

    second.complete(.cancelled)  // the page was closed
    #expect(second.state == .completed)
    #expect(motherboard.send(.markAsLent, to: BookPage.id) == .notLive)
}

@MainActor private func answer(on motherboard: Motherboard) async throws -> String {
    do {
        switch try await motherboard.result(of: BookPage.id, with: walden) {
        case .borrowed(let isbn): return "borrowed \(isbn)"
        }
    } catch let error as BoardError where error.code == .completedWithoutOutput {
        return "the page was closed"
    }
}

@MainActor @Test func `a page has a result, was closed, or throws its error`() async throws {
    struct OutOfStock: Error {}
    let lending = Motherboard()
    lending.register { slot in BookBoard(slot: slot, lend: { _ in }) }
    #expect(try await answer(on: lending) == "borrowed 9780691096124")

    let closing = Motherboard()
    closing.register { slot in BookBoard(slot: slot, lend: { _ in slot.complete() }) }
    #expect(try await answer(on: closing) == "the page was closed")

    let failing = Motherboard()
    failing.register { slot in BookBoard(slot: slot, lend: { _ in throw OutOfStock() }) }
    await #expect(throws: OutOfStock.self) { try await answer(on: failing) }
}
