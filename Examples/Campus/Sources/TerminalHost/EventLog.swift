import Backplane
import Observation

/// What a terminal has heard of its boards: the events in order, and who is at work.
///
/// Observable, because a terminal waits until nobody is at work any more.
@Observable
final class EventLog {
    private(set) var events: [BoardEvent] = []

    /// How many tasks of each board are running.
    private var tasks: [BoardInstance: Int] = [:]
    /// The boards that are live, each with those around it.
    private var enclosing: [BoardInstance: [BoardInstance]] = [:]

    /// Whether a board is at work, other than by awaiting one inside it, for all that is known.
    var isAtWork: Bool {
        let hosts = Set(enclosing.values.joined())
        return !hosts.isSuperset(of: tasks.keys)
    }

    func append(_ event: BoardEvent) {
        events.append(event)
        guard let board = event.instance else { return }
        switch event.kind {
        case .activated: enclosing[board] = event.enclosing
        case .completed: enclosing[board] = nil
        case .taskStarted: tasks[board, default: 0] += 1
        case .taskEnded:
            let running = tasks[board, default: 0] - 1
            tasks[board] = running > 0 ? running : nil
        default: break
        }
    }

    /// Nothing more will be heard, so nobody counts as being at work.
    func close() {
        tasks = [:]
    }
}
