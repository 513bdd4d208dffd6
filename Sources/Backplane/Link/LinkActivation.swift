/// A handle on a link that was opened: its outcome so far, and a way to wait for the outcome behind
/// a gate.
///
/// A small value that may be kept for any time. It keeps neither the board nor the motherboard
/// alive. Not `Sendable`; used on the motherboard's actor.
///
/// ```swift
/// let opening = motherboard.open(link)
/// if opening == .waiting { showSplash() }
/// switch await opening.settled() {
/// case .opened: hideSplash()
/// default: showHome()
/// }
/// ```
public struct LinkActivation: CustomStringConvertible {
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

    /// The outcome so far.
    ///
    /// ``LinkResult/waiting`` is the only one that changes. A link that waited and was let in is
    /// ``LinkResult/opened``, and stays so when the board ends.
    public var result: LinkResult {
        switch subject {
        case .none(let result): result
        case .activation(let activation): Self.result(of: activation, in: activation.state)
        }
    }

    /// Waits until the gates in front of the link's board have decided, and returns the outcome.
    ///
    /// Returns at once unless ``result`` is ``LinkResult/waiting``. When the calling task is
    /// cancelled it stops waiting and returns ``LinkResult/waiting``; the link itself goes on
    /// waiting until ``complete(_:)``.
    ///
    /// - Parameter isolation: the motherboard's actor; leave it to its default.
    /// - Returns: the outcome.
    public func settled(isolation: isolated (any Actor)? = #isolation) async -> LinkResult {
        switch subject {
        case .none(let result): return result
        case .activation(let activation):
            let state = await activation.settled(isolation: isolation)
            return Self.result(of: activation, in: state)
        }
    }

    /// Gives the link up: takes a waiting one away from its gate, and completes a board that was
    /// activated.
    ///
    /// Does nothing when the link activated nothing, or when its activation is over or superseded.
    ///
    /// - Parameter completion: how a board that was activated ends. A link that waits is always
    ///   ``LinkResult/cancelled``.
    public func complete(_ completion: Completion = .done) {
        if case .activation(let activation) = subject { activation.complete(completion) }
    }

    /// The description of ``result``.
    public var description: String { result.description }

    /// Whether the outcome so far is `result`.
    public static func == (link: LinkActivation, result: LinkResult) -> Bool { link.result == result }

    /// Whether the outcome so far is another than `result`.
    public static func != (link: LinkActivation, result: LinkResult) -> Bool { link.result != result }

    private static func result(of activation: any AnyActivation, in state: ActivationState) -> LinkResult {
        if activation.anyLiveBoard != nil { return .opened }
        return switch state {
        case .waiting: .waiting
        case .denied(let denial): .denied(denial)
        case .noSuchBoard: .noMatch
        case .ownerGone: .ownerGone
        // Without a board there was only a wait to complete.
        case .completed: .cancelled
        case .active, .superseded: .opened
        }
    }
}

extension LinkActivation? {
    /// Whether there is a link, as after `self?.open(…)`, whose outcome so far is `result`.
    public static func == (link: Self, result: LinkResult) -> Bool { link?.result == result }

    /// Whether there is no link, or one whose outcome so far is another than `result`.
    public static func != (link: Self, result: LinkResult) -> Bool { link?.result != result }
}

/// Contract-independent view of an ``Activation``.
protocol AnyActivation {
    var state: ActivationState { get }
    /// The board that was made, once there is one.
    var anyLiveBoard: AnyLiveBoard? { get }
    func settled(isolation: isolated (any Actor)?) async -> ActivationState
    func complete(_ completion: Completion)
}

extension Activation: AnyActivation {}
