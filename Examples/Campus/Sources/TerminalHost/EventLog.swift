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

    /// How many activations inside each board wait at gates.
    private var waiting: [BoardInstance: Int] = [:]

    /// The boards that are scopes, whose tasks do not count as work, because they may last as long as the scope.
    var scopes: Set<AnyBoardID> = []

    /// Whether a board is at work, other than by awaiting one inside it, for all that is known.
    var isAtWork: Bool {
        let hosts = Set(enclosing.values.joined()).union(waiting.keys)
        return tasks.keys.contains { !hosts.contains($0) && !scopes.contains($0.id) }
    }

    func append(_ event: BoardEvent) {
        events.append(event)
        if let host = event.enclosing.last {
            switch event.kind {
            case .waiting: count(1, of: host, in: &waiting)
            case .gateOpened, .gateDenied: count(-1, of: host, in: &waiting)
            default: break
            }
        }
        guard let board = event.instance else { return }
        switch event.kind {
        case .activated: enclosing[board] = event.enclosing
        case .completed: enclosing[board] = nil
        case .taskStarted: count(1, of: board, in: &tasks)
        case .taskEnded: count(-1, of: board, in: &tasks)
        default: break
        }
    }

    private func count(_ change: Int, of board: BoardInstance, in counts: inout [BoardInstance: Int]) {
        let count = counts[board, default: 0] + change
        counts[board] = count > 0 ? count : nil
    }

    /// Nothing more will be heard, so nobody counts as being at work.
    func close() {
        tasks = [:]
    }
}
