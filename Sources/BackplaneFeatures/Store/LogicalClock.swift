/// Numbers what happens to the records of a store, so that of any two events it is known which came first.
///
/// One for all of them: a page brings many records, and each has to judge whether the page began before its last settlement.
package final class LogicalClock {
    /// The number of the last event.
    package private(set) var last = 0
    /// The number with which the present session began.
    package private(set) var epoch = 0

    /// How many records are just being folded, by whose intents what is half done may be read.
    private var folds = 0

    /// Nothing has happened yet.
    package init() {}

    /// Something happens.
    package func next() -> Int {
        last += 1
        return last
    }

    /// Another session begins: no load from before this may land, not even in a record that was not there then.
    package func beginEpoch() {
        epoch = next()
    }

    /// Whether what is read now may be half done, and is not to be kept.
    var isFolding: Bool { folds > 0 }

    /// Mutations begin to be applied.
    func beginFold() {
        folds += 1
    }

    /// All of them have been applied.
    func endFold() {
        folds -= 1
    }

    /// A load begins.
    package func startLoad() -> LoadStamp {
        LoadStamp(number: next())
    }
}

/// The session of a store in which something was begun: the one place that says whether it may go on.
///
/// To be asked right before a closure of the user's is called, for the session may have ended since it was decided to call it.
struct Session {
    private let counter: LogicalClock
    private let epoch: Int

    /// The present session of the records that `counter` counts for.
    init(_ counter: LogicalClock) {
        self.counter = counter
        epoch = counter.epoch
    }

    /// Whether no other session has begun.
    var isCurrent: Bool { counter.epoch == epoch }

    /// Throws if the session is over, or the task has been cancelled.
    func check() throws {
        guard isCurrent else { throw CancellationError() }
        try Task.checkCancellation()
    }
}

/// A load that was started, to be given back when it lands.
package struct LoadStamp {
    /// The number of its start among the events of its store.
    let number: Int
}
