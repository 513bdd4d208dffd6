import Backplane

/// A fact that boards, handlers or callers of a motherboard can observe.
///
/// All objects are numbered from 0 in the order of their creation. Motherboard 0 is the root.
enum Fact: Equatable {
    /// A call of a factory, with `input` if the factory receives the input.
    case made(board: Int, Name, plan: Int, input: Int?)
    case activated(board: Int, Int)
    case told(board: Int, Int)
    case ended(board: Int, Ending)

    /// A call of a flow's handler.
    ///
    /// A handler with a weak target does not receive the motherboard.
    case heard(flow: Int, Int, on: Int?)
    case heardAll(flow: Int, [Int], on: Int)
    /// A call of a completion flow.
    ///
    /// `handle` belongs to the activation that ended, if the handler receives the activation and
    /// the script has its handle.
    case heardEnding(flow: Int, Ending, handle: Int?, on: Int)
    case heardDenial(flow: Int, Denial, on: Int)
    case heardAction(flow: Int, Int, on: Int)
    case missed(Name, fallback: Int, on: Int)

    /// The moment at which work goes on, and whether it is cancelled by then.
    case resumed(work: Int, isCancelled: Bool)
    /// The end of a wait, which a caller of `settled()` learns after the turn.
    case settled(handle: Int, ActivationState)
    /// The state of a handle, after its creation and whenever a script reads it.
    case state(handle: Int, ActivationState, Ending?)
    case answer(CommandResult)
    case count(Name, Int, isLive: Bool)
    /// The number of objects in memory: boards, and components that boards keep.
    case alive(boards: Int, components: Int)
    /// Whether the root is released after its last reference is gone.
    case rootIsGone(Bool)
    case snapshot([Entry])
    /// An activation that a restore reports, by the path of its board.
    case unrestored([Name], BoardSnapshot.Obstacle)
    case event(BoardEvent.Kind, Name?, gate: Name? = nil)

    /// An activation of a snapshot, with the gate at which it waits.
    struct Entry: Equatable {
        let board: Name
        let input: Int
        let gate: Name?
        /// Whether a gate must open that the restored activation would not ask.
        var isDenied = false
        let inside: [Entry]
    }

    /// This fact after a restore, or `nil` if it differs between an ID that a flow or gate mentions
    /// and an ID that is unknown.
    ///
    /// Motherboards that a restore makes have no number.
    var afterRestore: Fact? {
        switch self {
        case .event(.noSuchBoard, _, _): nil
        case .heard(let flow, let output, let motherboard):
            .heard(flow: flow, output, on: motherboard.map { _ in 0 })
        case .heardAll(let flow, let outputs, _): .heardAll(flow: flow, outputs, on: 0)
        case .heardEnding(let flow, let ending, let handle, _): .heardEnding(flow: flow, ending, handle: handle, on: 0)
        case .heardDenial(let flow, let denial, _): .heardDenial(flow: flow, denial, on: 0)
        case .heardAction(let flow, let value, _): .heardAction(flow: flow, value, on: 0)
        case .missed(let name, let fallback, _): .missed(name, fallback: fallback, on: 0)
        default: self
        }
    }

    /// The kinds of events that the rules name.
    ///
    /// All other kinds matter only to observers.
    static let kinds: Set<BoardEvent.Kind> = [
        .unhandledOutput, .droppedOutput, .unhandledAction, .unhandledFailure, .noSuchBoard,
        .waiting, .gateOpened, .gateDenied, .droppedEntrance,
    ]
}
