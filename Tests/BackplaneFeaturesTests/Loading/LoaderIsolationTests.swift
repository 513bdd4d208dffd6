import BackplaneFeatures
import Observation
import Testing

/// A class that is not `Sendable` and must stay on the actor that loaded it.
private final class Document {
    var text: String
    init(text: String) { self.text = text }
}

/// A class that runs on an actor unknown to the class and to the compiler.
private final class Model {
    let document: Loader<Int, Document>
    private let check: () -> Void

    /// - Parameter check: A closure that traps when a call is off the model's actor.
    init(check: @escaping () -> Void) {
        self.check = check
        document = Loader { id in
            check()
            await Task.yield()
            check()
            return Document(text: "document \(id)")
        }
    }

    func open(_ id: Int, isolation: isolated any Actor = #isolation) {
        document.load(id)
    }

    /// Opens a document the way a board does: a synchronous method receives the owner.
    func open(_ id: Int, on owner: any Actor) {
        document.load(id, on: owner)
    }

    func reload() {
        document.reload()
    }

    func write(_ text: String) async throws {
        let check = check
        let mutation = Mutation<Document>(
            .edit { document in
                check()
                document = Document(text: text)
            }
        ) { _ in
            check()
            await Task.yield()
            check()
            return Document(text: text + ", as it was saved")
        } confirming: { saved in
            check()
            return saved
        }
        try await document.mutate(mutation)
        check()
    }
}

private actor Window {
    private lazy var model = Model { [unowned self] in preconditionIsolated() }
    /// A loader created in an initial value, where no isolation is known yet.
    let own = Loader<Int, Document> { Document(text: "own \($0)") }

    func show(_ id: Int) async -> String? {
        model.open(id)
        await model.document.settled()
        return model.document.value?.text
    }

    func showOnOwner(_ id: Int) async -> String? {
        model.open(id, on: self)
        await model.document.settled()
        model.reload()
        await model.document.settled()
        return model.document.value?.text
    }

    func showOwn(_ id: Int) async -> String? {
        own.load(id)
        await own.settled()
        return own.value?.text
    }

    func writeOwn(_ text: String) async throws -> String? {
        own.load(1)
        await own.settled()
        let mutation = Mutation<Document>(
            .edit { document in
                document = Document(text: text)
            }
        ) { [unowned self] _ in
            preconditionIsolated()
            return Document(text: text + ", as it was saved")
        } confirming: {
            $0
        }
        try await own.mutate(mutation)
        return own.value?.text
    }

    func write(_ text: String) async throws -> String? {
        model.open(1)
        await model.document.settled()
        try await model.write(text)
        return model.document.value?.text
    }

    /// Traps when a change of the state is observed outside of this actor.
    func observe(_ id: Int) async -> Bool {
        model.open(id)
        withObservationTracking {
            _ = model.document.state
        } onChange: {
            self.preconditionIsolated()
        }
        await model.document.settled()
        preconditionIsolated()
        return model.document.value != nil
    }
}

@Suite(.timeLimit(.minutes(5))) struct LoaderIsolationTests {
    @Test func `a class on a custom actor loads values that never leave the actor`() async {
        let window = Window()
        #expect(await window.show(1) == "document 1")
        #expect(await window.showOwn(2) == "own 2")
    }

    @Test func `code without static isolation passes its actor only once`() async {
        let window = Window()
        #expect(await window.showOnOwner(3) == "document 3")
    }

    @Test func `state changes are made and observed on the loader's actor`() async {
        #expect(await Window().observe(4))
    }

    @Test func `a mutation of values that are not sendable is applied, sent and confirmed on the actor`() async throws {
        let window = Window()
        #expect(try await window.write("new") == "new, as it was saved")
        #expect(try await window.writeOwn("mine") == "mine, as it was saved")
    }

    @Test func `an idle loader does not keep its actor alive`() async {
        var window: Window? = Window()
        weak var gone: Window?
        gone = window
        _ = await window?.show(1)
        await gone?.finishRunning()
        window = nil
        #expect(gone == nil)
    }

    #if os(macOS) || os(Linux)
        @Test func `a load outside the given actor traps without a race`() async {
            await #expect(processExitsWith: .failure) {
                let loader = Loader<Int, Int> { $0 }
                loader.load(1, on: Window())
            }
        }
    #endif
}

extension Window {
    /// Returns after the actor has finished its current job.
    fileprivate func finishRunning() {}
}
