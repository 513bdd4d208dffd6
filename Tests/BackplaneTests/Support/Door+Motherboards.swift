import Foundation

@testable import Backplane

extension Door {
    private static func door(_ member: String, _ use: @escaping @Sendable (Motherboard) -> Void) -> Door {
        Door("Motherboard", member) { use($0.motherboard) }
    }

    static let setupDoors: [Door] = [
        door("register(_:reuse:replacing:_:)") { $0.register(.unused) { ProbeBoard(slot: $0) } },
        door("register(_:reuse:replacing:_:)") { $0.register(.unused) { StructBoard(slot: $0) } },
        door("register(_:replacing:_:)") { $0.register(.unused) { slot, _ in ProbeBoard(slot: slot) } },
        door("register(_:replacing:_:)") { $0.register(.unused) { slot, _ in StructBoard(slot: slot) } },
        door("register(_:inside:reuse:replacing:_:)") { motherboard in
            motherboard.register(.chore, inside: .unused) { slot, _ in ProbeBoard(slot: slot) }
        },
        door("registerTask(_:_:repeatable:replacing:_:)") { $0.registerTask(.unusedFigures) { input, _ in input } },
        door("registerTask(_:_:repeatable:replacing:_:)") { $0.registerTask(.chore) { _, _ in } },
        door("registerTask(_:weak:_:repeatable:replacing:_:)") { motherboard in
            motherboard.registerTask(.unusedFigures, weak: Journal()) { _, input, _ in input }
        },
        door("registerTask(_:weak:_:repeatable:replacing:_:)") { motherboard in
            motherboard.registerTask(.chore, weak: Journal()) { _, _, _ in }
        },
        door("registerFallback(_:)") { $0.registerFallback { _, _ in } },
        door("registerScope(_:enteredBy:replacing:switching:input:)") { motherboard in
            motherboard.registerScope(.unused, enteredBy: .doorkeeper) { $0 ? 1 : nil }
        },
        door("registerScope(_:enteredBy:with:replacing:switching:input:)") { motherboard in
            motherboard.registerScope(.unused, enteredBy: .unusedFigures, with: 1) { $0 }
        },
        door("declare(_:_:inside:)") { $0.declare(.chore, inside: .unused) },
        door("install(_:_:)") { $0.install(NoBoards()) },
        door("registerFlow(from:leadingTo:handler:)") { motherboard in
            motherboard.registerFlow(from: .first, leadingTo: .second) { _, _ in }
        },
        door("registerFlow(from:to:_:)") { $0.registerFlow(from: .first, to: .second) { $0 } },
        door("registerFlow(from:weak:_:)") { $0.registerFlow(from: .first, weak: Journal()) { _, _ in } },
        door("registerFlowSteps(_:)") { $0.registerFlowSteps(.first ->>> .second) },
        door("registerCombinedFlow(_:keepingLatest:weak:_:)") { motherboard in
            motherboard.registerCombinedFlow(.first, .second, weak: Journal()) { _, _, _ in }
        },
        door("registerCombinedFlow(_:keepingLatest:leadingTo:handler:)") { motherboard in
            motherboard.registerCombinedFlow(.first, .second, leadingTo: .third, handler: { _, _, _ in })
        },
        door("registerCompletionFlow(_:_:)") { $0.registerCompletionFlow(.first) { _, _ in } },
        door("registerCompletionFlow(_:_:)") { $0.registerCompletionFlow(.first) { _, _, _ in } },
        door("registerCompletionFlow(_:weak:_:)") { motherboard in
            motherboard.registerCompletionFlow(.first, weak: Journal()) { _, _ in }
        },
        door("registerGeneralFlow(_:)") { $0.registerGeneralFlow { (_: Wish, _) in } },
        door("registerGeneralFlow(weak:_:)") { $0.registerGeneralFlow(weak: Journal()) { (_, _: Wish) in } },
        door("registerBubblingFlow(_:)") { $0.registerBubblingFlow { (_: Wish, _) in false } },
        door("registerDenialFlow(_:)") { $0.registerDenialFlow { _, _ in } },
        door("registerDenialFlow(weak:_:)") { $0.registerDenialFlow(weak: Journal()) { _, _ in } },
        Door("Motherboard", "remove(_:)") { keys in
            keys.motherboard.remove(keys.flow)
            keys.motherboard.remove(keys.contribution)
            keys.motherboard.remove(keys.observation)
        },
        door("gate(_:by:unless:replacing:verdict:)") { $0.gate(.first, by: .doorkeeper) { _ in .open } },
        door("gate(_:by:with:unless:replacing:verdict:)") { motherboard in
            motherboard.gate(.first, by: .unusedFigures, with: 1, verdict: { _ in .open })
        },
        door("gate(_:by:asking:replacing:verdict:)") { motherboard in
            motherboard.gate(.first, by: .unusedFigures, asking: { $0 }, verdict: { _ in .open })
        },
        door("gateAll(by:except:unless:replacing:verdict:)") { $0.gateAll(by: .doorkeeper) { _ in .open } },
        door("gateAll(by:with:except:unless:replacing:verdict:)") { motherboard in
            motherboard.gateAll(by: .unusedFigures, with: 1, verdict: { _ in .open })
        },
        door("contribute(to:order:_:)") { $0.contribute(to: .numbers) { 1 } },
        door("pair(with:)") { $0.pair(with: Screen()) },
    ]

    static let messageDoors: [Door] = [
        door("activate(_:)") { $0.activate(.doorkeeper) },
        door("activate(_:with:)") { $0.activate(.second, with: 1) },
        door("outputs(of:)") { _ = $0.outputs(of: .doorkeeper) },
        door("outputs(of:with:)") { _ = $0.outputs(of: .second, with: 1) },
        Door("Motherboard", waiting: "result(of:takingLast:)") { keys, isolation in
            "\(String(describing: try? await keys.motherboard.result(of: .doorkeeper, isolation: isolation)))"
        },
        Door("Motherboard", waiting: "result(of:with:takingLast:)") { keys, isolation in
            "\(String(describing: try? await keys.motherboard.result(of: .second, with: 1, isolation: isolation)))"
        },
        door("send(_:to:)") { $0.send(1, to: .second) },
        door("sendAction(_:)") { $0.sendAction(Wish.returnHome) },
        door("complete(_:_:)") { $0.complete(.second) },
        door("complete()") { $0.complete() },
        door("completeAllBoards()") { $0.completeAllBoards() },
        door("isLive(_:)") { _ = $0.isLive(.second) },
        door("liveCount(of:)") { _ = $0.liveCount(of: .second) },
        door("contributions(to:)") { _ = $0.contributions(to: .numbers) },
        door("observe(_:)") { $0.observe { _ in } },
        door("observe(_:_:)") { $0.observe(.first) { _ in } },
        door("recordEvents(excluding:write:)") { $0.recordEvents { _ in } },
        door("snapshot()") { _ = $0.snapshot() },
        door("restore(_:)") { $0.restore(emptySnapshot) },
        door("graph()") { _ = $0.graph() },
    ]

    static let linkDoors: [Door] = [
        door("allowLinks(schemes:hosts:)") { $0.allowLinks(schemes: ["app"]) },
        door("registerLink(_:to:parents:)") { $0.registerLink("unused", to: .doorkeeper) },
        door("registerLink(_:to:parents:)") { $0.registerLink("unused/{number}", to: .first) },
        door("registerLink(_:to:parents:_:)") { $0.registerLink("unused", to: .first) { _ in 1 } },
        door("open(_:)") { $0.open("/first") },
        door("open(_:)") { $0.open(firstURL) },
        door("canOpen(_:)") { _ = $0.canOpen("/first") },
        door("canOpen(_:)") { _ = $0.canOpen(firstURL) },
        door("parents(of:)") { _ = $0.parents(of: "/first") },
    ]

    private static let firstURL = URL(filePath: "/first")

    private static let emptySnapshot = {
        do {
            return try JSONDecoder().decode(BoardSnapshot.self, from: Data(#"{"boards":[]}"#.utf8))
        } catch {
            preconditionFailure("The JSON of an empty snapshot cannot be decoded: \(error)")
        }
    }()
}

private struct NoBoards: BoardModule {
    func register(on motherboard: Motherboard) {}
}

private struct StructBoard: Board {
    let slot: Slot<Numbers>
    func activate(with input: Int) {}
    func receive(_ command: Int) {}
}

/// A task without input and output.
private enum Chore: BoardContract {}

extension BoardID<Chore> {
    fileprivate static var chore: Self { "chore" }
}

extension BoardID<Numbers> {
    fileprivate static var unused: Self { "unused" }
}

extension BoardID<Figures> {
    fileprivate static var unusedFigures: Self { "unusedFigures" }
}
