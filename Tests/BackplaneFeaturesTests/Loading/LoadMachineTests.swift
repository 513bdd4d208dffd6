import Testing

@testable import BackplaneFeatures

private typealias Machine = LoadMachine<String, Int>

extension LoadState<Int> {
    /// The state as text, so that tests can compare states whose errors are not equatable.
    fileprivate var text: String {
        switch self {
        case .idle: "idle"
        case .loading(let previous): "loading(\(previous.map(String.init) ?? "-"))"
        case .loaded(let value): "loaded(\(value))"
        case .failed(_, let previous): "failed(\(previous.map(String.init) ?? "-"))"
        }
    }
}

extension LoadMachine.Effect {
    fileprivate var text: String {
        switch self {
        case .nothing: "nothing"
        case .start(let id, let generation): "start \(id) \(generation)"
        case .cancel: "cancel"
        case .settle: "settle"
        }
    }
}

struct LoadMachineTests {
    private var machine = Machine()

    /// A machine at rest after one load of `a`.
    private func rested(_ result: Result<Int, any Error>) -> Machine {
        var machine = Machine()
        _ = machine.load("a")
        _ = machine.finish(1, with: result)
        return machine
    }

    @Test mutating func `a load goes from idle through loading to loaded`() {
        #expect(machine.state.text == "idle")
        #expect(machine.id == nil)
        #expect(machine.load("a").text == "start a 1")
        #expect(machine.state.text == "loading(-)")
        #expect(machine.id == "a")
        #expect(machine.finish(1, with: .success(7)).text == "settle")
        #expect(machine.state.text == "loaded(7)")
        #expect(machine.id == "a")
    }

    @Test mutating func `loading the same ID joins the load under way`() {
        _ = machine.load("a")
        #expect(machine.load("a").text == "nothing")
    }

    @Test mutating func `loading another ID supersedes, and the older result never lands`() {
        _ = machine.load("a")
        #expect(machine.load("b").text == "start b 2")
        #expect(machine.finish(1, with: .success(1)).text == "nothing")
        #expect(machine.finish(1, with: .failure(Failure())).text == "nothing")
        #expect(machine.state.text == "loading(-)")
        _ = machine.finish(2, with: .success(2))
        #expect(machine.finish(1, with: .success(1)).text == "nothing")
        #expect(machine.state.text == "loaded(2)")
        #expect(machine.id == "b")
    }

    @Test mutating func `coming back to an ID does not revive its first load`() {
        for id in ["a", "b", "a"] { _ = machine.load(id) }
        #expect(machine.finish(1, with: .success(1)).text == "nothing")
        #expect(machine.finish(3, with: .success(3)).text == "settle")
        #expect(machine.state.text == "loaded(3)")
    }

    @Test func `a reload and its failure keep the value`() {
        var machine = rested(.success(7))
        #expect(machine.reload().text == "start a 2")
        #expect(machine.state.text == "loading(7)")
        _ = machine.finish(2, with: .failure(Failure()))
        #expect(machine.state.text == "failed(7)")
        #expect(machine.retry().text == "start a 3")
        #expect(machine.state.text == "loading(7)")
    }

    @Test func `a value is never shown for another ID`() {
        var machine = rested(.success(7))
        _ = machine.load("b")
        #expect(machine.state.text == "loading(-)")
        _ = machine.finish(2, with: .failure(Failure()))
        #expect(machine.state.text == "failed(-)")
        #expect(machine.id == "b")
    }

    @Test(arguments: [Result.success(7), .failure(Failure())] as [Result<Int, any Error>])
    func `cancelling goes back to the state before the load`(_ result: Result<Int, any Error>) {
        var machine = rested(result)
        let before = machine.state.text
        _ = machine.load("b")
        _ = machine.load("c")
        #expect(machine.cancel().text == "cancel")
        #expect(machine.state.text == before)
        #expect(machine.id == "a")
        #expect(machine.finish(3, with: .success(3)).text == "nothing")
        #expect(machine.state.text == before)
    }

    @Test mutating func `cancelling the first load goes back to idle`() {
        _ = machine.load("a")
        #expect(machine.cancel().text == "cancel")
        #expect(machine.state.text == "idle")
        #expect(machine.id == nil)
        #expect(machine.cancel().text == "nothing")
    }

    @Test func `a CancellationError is no failure`() {
        var machine = rested(.success(7))
        _ = machine.reload()
        #expect(machine.finish(2, with: .failure(CancellationError())).text == "settle")
        #expect(machine.state.text == "loaded(7)")
    }

    @Test mutating func `a reload supersedes the load under way`() {
        _ = machine.load("a")
        #expect(machine.reload().text == "start a 2")
        #expect(machine.finish(1, with: .success(1)).text == "nothing")
    }

    @Test mutating func `only a failure is retried`() {
        #expect(machine.retry().text == "nothing")
        #expect(machine.reload().text == "nothing")
        _ = machine.load("a")
        #expect(machine.retry().text == "nothing")
        _ = machine.finish(1, with: .success(1))
        #expect(machine.retry().text == "nothing")
        _ = machine.load("b")
        _ = machine.finish(2, with: .failure(Failure()))
        #expect(machine.retry().text == "start b 3")
        #expect(machine.retry().text == "nothing")
    }
}
