/// The time since it was made, on any clock: so that instants of different clocks need not be told apart.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { read() }
}
