public import BackplaneFeatures

/// An event for statistics: an action of the user that has started or ended.
///
/// It has neither the input nor the output of the action, because they are private.
public struct AnalyticsEvent: Hashable, Sendable, CustomStringConvertible {
    /// The progress of an action.
    public enum Phase: String, Sendable {
        case started, finished, dismissed, failed
    }

    /// The screen and the action, for example `composer.finish`.
    public let action: String
    /// The progress of the action.
    public let phase: Phase

    /// The action and its progress, for logs.
    public var description: String { "\(action) \(phase)" }
}

extension Action {
    /// Returns an action that reports each run as events for statistics.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - name: the ``AnalyticsEvent/action`` of the events.
    ///   - onAnalyticsEvent: receives the events; `nil` if nobody does.
    /// - Returns: the action to perform.
    public static func reported(
        _ action: @escaping Async,
        as name: String,
        to onAnalyticsEvent: ((AnalyticsEvent) -> Void)?
    ) -> Async {
        guard let onAnalyticsEvent else { return action }
        return observed(action) { _, end in
            let phase: AnalyticsEvent.Phase =
                switch end {
                case nil: .started
                case .success: .finished
                case .failure(is CancellationError): .dismissed
                case .failure: .failed
                }
            onAnalyticsEvent(AnalyticsEvent(action: name, phase: phase))
        }
    }
}
