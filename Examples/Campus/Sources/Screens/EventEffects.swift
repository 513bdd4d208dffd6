/// The changes that an event of the user makes in tasks, so that a host can wait until they are
/// saved.
///
/// A model calls ``begin()`` while it handles the event, and then starts the task. The code that
/// saves the change, or gives it up, calls ``end()``.
public struct EventEffects: Sendable {
    private enum Note { case begun, ended, handled }

    /// The effects of the event that the current task handles, also in tasks that it has started;
    /// `nil` outside of an event.
    @TaskLocal public static var current: EventEffects?

    private let notes: AsyncStream<Note>
    private let note: AsyncStream<Note>.Continuation

    /// Creates the effects of an event before it is handled.
    public init() { (notes, note) = AsyncStream.makeStream() }

    /// Notes that the handler of the event starts a task that saves a change.
    public func begin() { note.yield(.begun) }

    /// Notes that a change is saved, or not made.
    public func end() { note.yield(.ended) }

    /// Returns the number of changes that are not saved; called once, after the event is handled.
    public func unsavedCount() async -> Int {
        note.yield(.handled)
        var count = 0
        for await note in notes {
            switch note {
            case .begun: count += 1
            case .ended: count -= 1
            case .handled: return count
            }
        }
        return 0
    }

    /// Returns when as many changes are saved.
    public func saved(_ count: Int) async {
        var count = count
        for await _ in notes {
            count -= 1
            if count <= 0 { return }
        }
    }
}
