import Backplane

/// The events of a motherboard that the test has not asserted yet.
///
/// It is a separate object, because the motherboard's observer needs it before the test motherboard
/// exists.
final class EventRecorder {
    private let ignored: Set<BoardEvent.Kind>
    /// The number of all events so far, including ignored ones.
    let tally = Tally()
    private(set) var unasserted: [RecordedEvent] = []
    /// The number of tasks under way for each live board.
    private(set) var work: [BoardInstance: Int] = [:]

    init(ignoring ignored: Set<BoardEvent.Kind>) {
        self.ignored = ignored
    }

    func record(_ event: BoardEvent, _ payload: Any) {
        if !ignored.contains(event.kind) { unasserted.append(RecordedEvent(event: event, payload: payload)) }
        noteWork(event)
        tally.add()
    }

    func isIgnored(_ kind: BoardEvent.Kind) -> Bool { ignored.contains(kind) }

    /// Removes the first `count` events, which the test has asserted.
    func consume(_ count: Int) {
        unasserted.removeFirst(count)
    }

    private func noteWork(_ event: BoardEvent) {
        guard let board = event.instance else { return }
        switch event.kind {
        case .taskStarted: work[board, default: 0] += 1
        case .taskEnded: if let count = work[board] { work[board] = count > 1 ? count - 1 : nil }
        // The remaining tasks of an ended board can no longer affect anything.
        case .completed: work[board] = nil
        default: break
        }
    }
}
