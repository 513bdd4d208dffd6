/// A counter that numbers the events of a store, so that of any two events the earlier one is
/// known.
///
/// All records of a store share one clock. A page brings many records, and each record compares the
/// start of the page with its own last settlement.
package final class LogicalClock {
    /// The number of the last event.
    package private(set) var last = 0
    /// The number with which the current session began.
    package private(set) var epoch = 0

    /// How many records are computing their visible value; intents that run meanwhile may read
    /// half-applied values.
    private var folds = 0

    /// Creates a clock before the first event.
    package init() {}

    /// Returns the number of a new event.
    package func next() -> Int {
        last += 1
        return last
    }

    /// Starts a new session: no load from before this lands, not even in a record that did not
    /// exist then.
    package func beginEpoch() {
        epoch = next()
    }

    /// Whether a value that is read now may be half applied, so that the reader must not cache it.
    var isFolding: Bool { folds > 0 }

    /// Notes that a record starts to apply its mutations.
    func beginFold() {
        folds += 1
    }

    /// Notes that the record has applied all its mutations.
    func endFold() {
        folds -= 1
    }

    /// Returns the number of a load that starts now.
    package func startLoad() -> LoadStamp {
        LoadStamp(number: next())
    }
}

/// The session of a store in which an operation began, to check whether the operation may continue.
///
/// Code checks it right before it calls a closure of the app, because the session may have ended
/// after the decision to call it.
struct Session {
    private let logicalClock: LogicalClock
    private let epoch: Int

    /// Creates a reference to the current session of the records that `counter` numbers.
    init(_ logicalClock: LogicalClock) {
        self.logicalClock = logicalClock
        epoch = logicalClock.epoch
    }

    /// Whether no later session has begun.
    var isCurrent: Bool { logicalClock.epoch == epoch }

    /// Throws `CancellationError` if the session has ended or the task is cancelled.
    func check() throws {
        guard isCurrent else { throw CancellationError() }
        try Task.checkCancellation()
    }
}

/// The number of a load that has started; the caller gives it back when the load lands.
package struct LoadStamp {
    /// The number of its start among the events of its store.
    let number: Int
}
