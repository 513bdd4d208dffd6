import Observation

/// A recorder that reads a value each time a change is about to be announced.
@MainActor final class Watch<Seen> {
    private let trigger: @MainActor () -> Void
    private let look: @MainActor () -> Seen
    private(set) var seen: [Seen] = []

    init(_ trigger: @escaping @MainActor () -> Void, look: @escaping @MainActor () -> Seen) {
        self.trigger = trigger
        self.look = look
        start()
    }

    /// The number of changes so far.
    var count: Int { seen.count }

    private func start() {
        withObservationTracking {
            trigger()
        } onChange: { [self] in
            MainActor.assumeIsolated {
                seen.append(look())
                start()
            }
        }
    }
}

extension Watch<Void> {
    /// Counts the changes of what `trigger` reads.
    convenience init(_ trigger: @escaping @MainActor () -> Void) {
        self.init(trigger) {}
    }
}
