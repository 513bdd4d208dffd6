import BackplaneFeatures
import Testing

/// A class that is not `Sendable` and must stay on the actor that loaded it.
private final class Document: Identifiable {
    let id: Int
    let text: String

    init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

/// A class that runs on an actor unknown to the class and to the compiler.
private final class Shelf {
    let documents: PagedLoader<Int, Document>
    private let check: () -> Void

    /// - Parameter check: A closure that traps when a call is off the shelf's actor.
    init(check: @escaping () -> Void) {
        self.check = check
        documents = PagedLoader { cursor in
            check()
            await Task.yield()
            check()
            let id = cursor ?? 0
            return Page([Document(id: id, text: "document \(id)")], next: id + 1)
        }
    }

    func open(on owner: any Actor) {
        documents.load(on: owner)
    }

    func add(_ id: Int, _ text: String) async throws {
        let check = check
        try await documents.insert(Document(id: id, text: text)) { _ in
            check()
            await Task.yield()
            check()
            return Document(id: id, text: text + ", as it was saved")
        } confirming: { saved in
            check()
            return saved
        }
        check()
    }
}

private actor Window {
    private lazy var shelf = Shelf { [unowned self] in preconditionIsolated() }
    /// A loader created in an initial value, where no isolation is known yet.
    let own = PagedLoader<Int, Document> { _ in Page([Document(id: 0, text: "own")]) }

    func show() async -> [String] {
        shelf.open(on: self)
        await shelf.documents.settled()
        shelf.documents.loadMore()
        await shelf.documents.settled()
        preconditionIsolated()
        return shelf.documents.items.map(\.text)
    }

    func showOwn() async -> [String] {
        own.load()
        await own.settled()
        return own.items.map(\.text)
    }

    func add(_ text: String) async throws -> [String] {
        shelf.open(on: self)
        await shelf.documents.settled()
        try await shelf.add(7, text)
        return shelf.documents.items.map(\.text)
    }
}

@Suite(.timeLimit(.minutes(5))) struct PagedLoaderIsolationTests {
    @Test func `a class on a custom actor loads a list of values that never leave the actor`() async {
        let window = Window()
        #expect(await window.show() == ["document 0", "document 1"])
        #expect(await window.showOwn() == ["own"])
    }

    @Test func `an insertion on a custom actor is sent and confirmed on that actor`() async throws {
        #expect(try await Window().add("new") == ["new, as it was saved", "document 0"])
    }

    @Test func `an idle list does not keep its actor alive`() async {
        var window: Window? = Window()
        weak var gone: Window?
        gone = window
        _ = await window?.show()
        await gone?.finishRunning()
        window = nil
        #expect(gone == nil)
    }
}

extension Window {
    /// Returns after the actor has finished its current job.
    fileprivate func finishRunning() {}
}
