import Backplane
import Observation

/// The events of a terminal's boards in order, and the boards that are working.
///
/// It is observable, because a terminal waits until no board is working.
@Observable
final class EventLog {
    private(set) var events: [BoardEvent] = []

    /// The number of running tasks of each board.
    private var tasks: [BoardInstance: Int] = [:]
    /// The live boards, each with its enclosing boards.
    private var enclosing: [BoardInstance: [BoardInstance]] = [:]

    /// The number of activations inside each board that wait at gates.
    private var waiting: [BoardInstance: Int] = [:]

    /// The boards that are scopes; their tasks do not count as work, because they can last as long
    /// as the scope.
    var scopes: Set<AnyBoardID> = []

    /// Whether a board is working.
    ///
    /// A scope does not count, and neither does a board with a live board or a waiting activation
    /// inside.
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

    /// Forgets all running tasks, because no more events arrive.
    func close() {
        tasks = [:]
    }
}
