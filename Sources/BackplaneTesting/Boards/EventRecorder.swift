import Backplane

/// What has happened on a motherboard and has not been asserted.
///
/// An object of its own: the motherboard holds it, and must not hold the test motherboard, which holds the motherboard.
final class EventRecorder {
    private let ignored: Set<BoardEvent.Kind>
    /// How many events there have been, ignored ones included.
    let tally = Tally()
    private(set) var unasserted: [RecordedEvent] = []
    /// The live boards that have work under way, and how much.
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

    /// Takes the first `count` events as asserted.
    func consume(_ count: Int) {
        unasserted.removeFirst(count)
    }

    private func noteWork(_ event: BoardEvent) {
        guard let board = event.instance else { return }
        switch event.kind {
        case .taskStarted: work[board, default: 0] += 1
        case .taskEnded: if let count = work[board] { work[board] = count > 1 ? count - 1 : nil }
        // What its tasks still do can affect nothing.
        case .completed: work[board] = nil
        default: break
        }
    }
}
