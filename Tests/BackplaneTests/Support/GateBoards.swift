@testable import Backplane

/// A board that asks the user a question and sends the response.
enum Question: BoardContract {
    typealias Input = String
    typealias Output = Bool
}

/// A screen without input whose outputs do not matter.
enum GuardedPage: BoardContract {
    typealias Output = String
}

extension BoardID<Question> {
    static var permission: Self { "permission" }
    static var confirm: Self { "confirm" }
}

extension BoardID<Doorkeeper> {
    static var login: Self { "login" }
    static var terms: Self { "terms" }
    static var age: Self { "age" }
}

extension BoardID<GuardedPage> {
    static var start: Self { "start" }
    static var form: Self { "form" }
    static var camera: Self { "camera" }
}

extension Motherboard {
    /// Registers a board that notes its ID in `journal` at each activation.
    func probe<Contract>(_ id: BoardID<Contract>, reuse: BoardReuse = .shared, notedIn journal: Journal) {
        probe(id, reuse: reuse) { _, _ in journal.note(id.name) }
    }

    /// Returns the nested motherboard of a new board named `name`, which must have no gate.
    func makeInner(_ name: String = "container") -> Motherboard {
        let id = BoardID<GuardedPage>(name)
        var inner: Motherboard?
        probe(id) { board, _ in inner = board.inner }
        activate(id)
        guard let inner else { preconditionFailure("'\(id)' waits at a gate and has no nested motherboard.") }
        return inner
    }

    /// Whether no activation waits here and no gate board is being asked.
    var isCalm: Bool { snapshot().boards.allSatisfy { !$0.isWaiting } }
}
