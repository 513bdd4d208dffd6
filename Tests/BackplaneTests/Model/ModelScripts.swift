import Backplane

// Short forms for scripts that are written by hand, and for their expected journals.

extension ReferenceModel {
    /// Returns the facts of a script as sentences.
    ///
    /// The counts of objects and the final states of all handles are omitted. All operations are
    /// performed on the root motherboard.
    static func happenings(
        _ boards: KeyValuePairs<Name, Plan>,
        routines: [[Operation]] = [[]],
        _ operations: Operation...
    ) -> [String] {
        var script = Script(plans: boards.map(\.value), routines: routines)
        let registrations = boards.enumerated().map { Operation.register($1.key, plan: $0) }
        script.entries = (registrations + operations).map { Script.Entry(motherboard: 0, operation: $0) }
        let model = played(script)
        let ending = model.journal.firstIndex(of: .rootIsGone(true)) ?? model.journal.count
        return model.journal[..<(ending - model.handles.count)].compactMap(\.sentence)
    }
}

extension Plan {
    /// A shared board that does nothing.
    static var still: Plan { Plan(reuse: .shared) }

    /// A shared board that sends 0 at its activation.
    static var answering: Plan { activating(.send(0)) }

    /// Returns a shared board that takes steps at its activation.
    static func activating(_ steps: Step...) -> Plan {
        Plan(reuse: .shared, whenActivated: [steps])
    }
}

extension Operation {
    /// Returns an operation that sets a gate with a constant question.
    ///
    /// The gate is a general gate if `behind` is `nil`.
    static func set(
        _ behind: Name?,
        by gateBoard: Name,
        _ input: Int = 0,
        unless condition: Int? = nil,
        except exceptions: [Name] = [],
        judging verdicts: [GateVerdict] = [.open]
    ) -> Operation {
        .gate(
            GateSetting(
                behind: behind,
                gateBoard: gateBoard,
                question: .constant(input, unless: condition),
                exceptions: exceptions,
                verdicts: verdicts
            )
        )
    }

    /// Returns an operation that sets a gate whose question depends on the input.
    static func set(_ behind: Name, by gateBoard: Name, asking table: [Int?]) -> Operation {
        .gate(GateSetting(behind: behind, gateBoard: gateBoard, question: .table(table)))
    }

    /// Returns an operation by which the latest board of a name sends an output.
    static func answer(_ gateBoard: Name, _ output: Int = 0, back: Int = 0) -> Operation {
        .asLatest(gateBoard, back: back, .send(output))
    }

    static func inside(_ board: Name, _ operation: Operation) -> Operation {
        .asLatest(board, back: 0, .inside(operation))
    }

    static func giveUp(handle: Int) -> Operation { .use(.complete(handle: handle, .done)) }

    static func look(_ handle: Int) -> Operation { .use(.look(handle: handle)) }
}

extension Fact {
    /// The fact in words, `nil` for counts of objects.
    fileprivate var sentence: String? {
        switch self {
        case .made(let board, let name, _, _): "\(name) made as \(board)"
        case .activated(let board, let input): "\(board) activated with \(input)"
        case .told(let board, let command): "\(board) told \(command)"
        case .ended(let board, let ending): "\(board) ended \(ending)"
        case .heard(let flow, let output, _, let motherboard):
            "flow \(flow) hears \(output) on \(motherboard ?? 0)"
        case .heardAll(let flow, let outputs, let motherboard): "flow \(flow) hears \(outputs) on \(motherboard)"
        case .heardEnding(let flow, let ending, let handle, let motherboard):
            "flow \(flow) hears \(ending) of \(handle.map { "\($0)" } ?? "a board") on \(motherboard)"
        case .heardDenial(let flow, let denial, let motherboard):
            "flow \(flow) hears \(denial.board) by \(denial.gate) \(denial.reason.words) on \(motherboard)"
        case .heardAction(let flow, let value, let motherboard): "flow \(flow) hears action \(value) on \(motherboard)"
        case .missed(let name, let fallback, let motherboard): "fallback \(fallback) for \(name) on \(motherboard)"
        case .state(let handle, .denied(let denial), _):
            "handle \(handle): \(denial.board) by \(denial.gate) \(denial.reason.words)"
        case .state(let handle, .completed, let ending?): "handle \(handle) \(ending)"
        case .state(let handle, let state, _): "handle \(handle) \(state)"
        case .answer(let answer): "answer \(answer)"
        case .count(let name, let count, let isLive): "\(count) of \(name) \(isLive ? "live" : "not live")"
        case .event(.waiting, let name?, let gate?): "\(name) waits at \(gate)"
        case .event(.gateOpened, let name?, let gate?): "\(gate) opens for \(name)"
        case .event(.gateDenied, let name?, let gate?): "\(gate) denies \(name)"
        case .event(let kind, let name, _): "\(kind) \(name.map { "\($0)" } ?? "-")"
        case .resumed(let work, let isCancelled): "work \(work) resumed\(isCancelled ? ", cancelled" : "")"
        case .settled(let handle, let state): "handle \(handle) settled \(state)"
        case .unrestored(let path, let obstacle): "\(path.map(\.rawValue).joined(separator: "/")) \(obstacle)"
        case .alive, .rootIsGone, .snapshot: nil
        }
    }
}

extension Denial.Reason {
    fileprivate var words: String {
        switch self {
        case .cycle(let gateBoards): "cycle \(gateBoards.map(\.name).joined(separator: " "))"
        case .gateDenied(let inner): "gateDenied(\(inner.board) by \(inner.gate) \(inner.reason.words))"
        default: "\(self)"
        }
    }
}
