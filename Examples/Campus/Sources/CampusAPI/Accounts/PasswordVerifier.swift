import CoreMetrics
import NIOCore
import NIOPosix

/// A verifier that checks passwords on a bounded number of threads, with a bounded queue.
///
/// A check takes tens of milliseconds of a core. So it does not run on the threads of Swift's
/// tasks, and as many run at a time as there are cores. Networks take turns. A network from which
/// the user has signed in before comes first and has a queue of its own, which strangers cannot
/// fill.
actor PasswordVerifier {
    typealias Attempt = LoginThrottle.Attempt
    /// A function that returns whether a password belongs to a hash.
    typealias Check = @Sendable (_ password: String, _ hash: PasswordHash) async throws -> Bool

    /// The numbers of checks.
    struct Limits: Sendable {
        /// The number of checks at a time.
        var width = max(1, System.coreCount)
        /// The number of checks that wait, in each of the two queues.
        var waiting = 64
        /// The number of waiting checks of one network.
        var share = 8
    }

    private let limits: Limits
    private let check: Check
    private let report: @Sendable (_ waiting: Int) -> Void
    /// The hash for unknown users, so that the response takes as long as for known users.
    private let decoy: PasswordHash
    private var running = 0
    private var known: FairQueue<LoginThrottle.Pair, CheckedContinuation<Void, Never>>
    private var strangers: FairQueue<String, CheckedContinuation<Void, Never>>

    /// Creates a verifier of passwords that are hashed with `cost`.
    ///
    /// `report` is called whenever the number of waiting checks changes.
    init(
        cost: PasswordCost,
        limits: Limits = Limits(),
        check: @escaping Check = PasswordVerifier.checkOnThread,
        report: @escaping @Sendable (_ waiting: Int) -> Void = PasswordVerifier.measure
    ) throws {
        self.limits = limits
        self.check = check
        self.report = report
        decoy = try PasswordHash(password: "", cost: cost)
        known = FairQueue(capacity: limits.waiting, share: limits.share)
        strangers = FairQueue(capacity: limits.waiting, share: limits.share)
    }

    /// Checks a password on a thread of NIO's pool.
    static let checkOnThread: Check = { password, hash in
        try await NIOThreadPool.singleton.runIfActive { try hash.matches(password) }
    }

    /// Records the number of waiting checks as a metric.
    static let measure: @Sendable (_ waiting: Int) -> Void = { waiting in
        Gauge(label: "campus.api.password_queue").record(waiting)
    }

    /// Returns whether `hash` belongs to `password`.
    ///
    /// For an unknown user, `hash` is `nil`. Then it returns `false`, after the same work.
    ///
    /// - Throws: status 429 if too many checks wait.
    func verify(_ password: String, against hash: PasswordHash?, for attempt: Attempt) async throws -> Bool {
        try await enter(attempt)
        defer { leave() }
        let matches = try await check(password, hash ?? decoy)
        return hash != nil && matches
    }

    private func enter(_ attempt: Attempt) async throws {
        if running < limits.width {
            running += 1
            return
        }
        let hasRoom = attempt.isKnown ? known.hasRoom(for: attempt.pair) : strangers.hasRoom(for: attempt.network)
        guard hasRoom else { throw APIFailure.tooManyAtOnce }
        await withCheckedContinuation { continuation in
            if attempt.isKnown {
                known.append(continuation, for: attempt.pair)
            } else {
                strangers.append(continuation, for: attempt.network)
            }
            report(known.count + strangers.count)
        }
    }

    /// Passes the place of a check to the next one that waits.
    private func leave() {
        if let next = known.popFirst() ?? strangers.popFirst() {
            report(known.count + strangers.count)
            next.resume()
        } else {
            running -= 1
        }
    }
}
