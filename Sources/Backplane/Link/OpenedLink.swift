/// A handle to an opened link: its current result, and a way to wait for the final one.
///
/// You may keep this small value as long as you like. It does not keep the board or the motherboard
/// alive. It is not `Sendable`: use it on the motherboard's actor.
///
/// ```swift
/// let opening = motherboard.open(link)
/// if opening == .waiting { showSplash() }
/// switch await opening.settled() {
/// case .opened: hideSplash()
/// default: showHome()
/// }
/// ```
public struct OpenedLink: CustomStringConvertible {
    private enum Subject {
        /// A link that activated nothing.
        case none(LinkResult)
        case activation(any AnyActivation)
    }

    private let subject: Subject

    init(_ result: LinkResult) {
        subject = .none(result)
    }

    init(_ activation: any AnyActivation) {
        subject = .activation(activation)
    }

    /// The current result.
    ///
    /// Only ``LinkResult/waiting`` can still change. After a gate opens for a waiting link, the
    /// result is ``LinkResult/opened``, and does not change when the board ends.
    public var result: LinkResult {
        switch subject {
        case .none(let result): result
        case .activation(let activation): Self.result(of: activation, in: activation.state)
        }
    }

    /// Waits until the gates in front of the link's board have decided, and returns the result.
    ///
    /// This method returns at once unless ``result`` is ``LinkResult/waiting``. If the calling task
    /// is cancelled, this method stops waiting and returns ``LinkResult/waiting``. The link itself
    /// continues to wait; to end that, use ``complete(_:)``.
    ///
    /// - Parameter isolation: the motherboard's actor; keep the default.
    /// - Returns: the result.
    public func settled(isolation: isolated (any Actor)? = #isolation) async -> LinkResult {
        switch subject {
        case .none(let result): return result
        case .activation(let activation):
            let state = await activation.settled(isolation: isolation)
            return Self.result(of: activation, in: state)
        }
    }

    /// Cancels a link that waits at a gate, or completes the board that the link activated.
    ///
    /// This method does nothing if the link activated nothing, or if its activation is over or
    /// superseded.
    ///
    /// - Parameter completion: how the activated board ends. A waiting link always becomes
    ///   ``LinkResult/cancelled``.
    public func complete(_ completion: Completion = .done) {
        if case .activation(let activation) = subject { activation.complete(completion) }
    }

    /// The description of ``result``.
    public var description: String { result.description }

    private static func result(of activation: any AnyActivation, in state: ActivationState) -> LinkResult {
        if activation.anyLiveBoard != nil { return .opened }
        return switch state {
        case .waiting: .waiting
        case .denied(let denial): .denied(denial)
        case .noSuchBoard: .noMatch
        case .ownerGone: .ownerGone
        // Without a board, the activation ended while it waited.
        case .completed: .cancelled
        case .active, .superseded: .opened
        }
    }
}

extension OpenedLink? {
    /// Returns whether `result` is the current result of the link; `false` for `nil`.
    public static func == (link: Self, result: LinkResult) -> Bool { link?.result == result }
}

/// The contract-independent view of an ``Activation``.
protocol AnyActivation {
    var state: ActivationState { get }
    /// The live board, once the board has been made.
    var anyLiveBoard: AnyLiveBoard? { get }
    func settled(isolation: isolated (any Actor)?) async -> ActivationState
    func complete(_ completion: Completion)
}

extension Activation: AnyActivation {}
