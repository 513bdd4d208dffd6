import BackplaneFeatures

/// An event for statistics: an action of the user that has started or ended.
///
/// It has neither the input nor the output of the action, because they are private.
package struct AnalyticsEvent: Hashable, Sendable, CustomStringConvertible {
    /// The progress of an action.
    package enum Phase: String, Sendable {
        case started, finished, dismissed, failed
    }

    /// The screen and the action, for example `composer.finish`.
    package let action: String
    /// The progress of the action.
    package let phase: Phase

    /// The action and its progress, for logs.
    package var description: String { "\(action) \(phase)" }
}

extension Action {
    /// Returns an action that reports each run as events for statistics.
    ///
    /// - Parameters:
    ///   - name: the ``AnalyticsEvent/action`` of the events.
    ///   - onAnalyticsEvent: receives the events.
    ///   - action: the action.
    /// - Returns: the action to perform.
    static func reported(
        as name: String,
        to onAnalyticsEvent: @escaping (AnalyticsEvent) -> Void,
        _ action: @escaping Async
    ) -> Async {
        observed(action) { _, end in
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
