import Backplane

/// A fact that boards, handlers or callers of a motherboard can observe.
///
/// Everything is numbered in the order in which it came about, beginning with 0; motherboard 0 is
/// the root.
enum Fact: Equatable {
    /// The factory was called; `input` is what it was given, where it is given one.
    case made(board: Int, Name, plan: Int, input: Int?)
    case activated(board: Int, Int)
    case told(board: Int, Int)
    case ended(board: Int, Ending)

    /// A handler was called; the sender is known to one for several boards only, the motherboard
    /// not to one with a target.
    case heard(flow: Int, Int, from: Name?, on: Int?)
    case heardAll(flow: Int, [Int], on: Int)
    /// `handle` is the handle of the activation that ended, if the handler is given it and a script
    /// has it.
    case heardEnding(flow: Int, Ending, handle: Int?, on: Int)
    case heardDenial(flow: Int, Denial, on: Int)
    case heardAction(flow: Int, Int, on: Int)
    case missed(Name, fallback: Int, on: Int)

    /// The state of a handle, after it was made and whenever a script looks at it.
    case state(handle: Int, ActivationState, Ending?)
    case answer(CommandResult)
    case count(Name, Int, isLive: Bool)
    /// The number of objects in memory: boards, and components that are kept for them.
    case alive(boards: Int, components: Int)
    /// Whether the root goes when nobody holds it any more.
    case rootIsGone(Bool)
    case event(BoardEvent.Kind, Name?, gate: Name? = nil)

    /// The kinds of event that the rules name; only observers notice the others.
    static let kinds: Set<BoardEvent.Kind> = [
        .unhandledOutput, .droppedOutput, .unhandledAction, .unhandledFailure, .noSuchBoard,
        .waiting, .gateOpened, .gateDenied,
    ]
}
