import BackplaneConcurrency
import BackplaneTesting
import Foundation
import TestSupport

/// A server, devices with one vault each and their processes, seen only through requests and
/// vaults.
///
/// The world records violations of the rules about sessions (N1 to N17). It knows these rules and
/// not their implementation.
final class SessionWorld: Sendable {
    /// One login.
    ///
    /// Its pairs of tokens are numbered. The login and the number together name a pair.
    typealias Grant = Int

    struct Pair: Hashable, Sendable {
        let grant: Grant
        let number: Int

        /// Creates the pair of a token such as "access-3.1".
        init?(token: some StringProtocol) {
            let parts = token.drop { $0 != "-" }.dropFirst().split(separator: ".").compactMap { Int($0) }
            guard parts.count == 2 else { return nil }
            (grant, number) = (parts[0], parts[1])
        }

        init(grant: Grant, number: Int) {
            self.grant = grant
            self.number = number
        }
    }

    struct ServerSide: Sendable {
        /// The number of the newest pair.
        ///
        /// The previous pair can be refreshed once more with the same result (N11).
        var latest = 0
        /// The numbers of the pairs whose access token is no longer accepted.
        var refused: Set<Int> = []
        var revoked: Set<Int> = []
        var isDead = false
    }

    struct Process: Sendable {
        let device: Int
        let firstUser: Grant?
        /// The signed-in user, according to the app's calls and their results.
        var user: Grant?
        var isAlive = true
        /// Whether the process has read the vault since its launch.
        var hasLooked = false
        /// The users whose refresh was sent and has no response yet.
        var refreshing: Set<Grant> = []
        /// The access tokens whose refusal was received.
        var receivedRefusals: Set<Pair> = []
        /// The refused access tokens that the session must know by now.
        var knownRefusals: Set<Pair> = []
        /// The newest pair of each grant that a refresh returned.
        var received: [Grant: Int] = [:]
        /// The times at which users left, without the jumps of the clock.
        var left: [Grant: Duration] = [:]
        /// The grants whose refresh has failed temporarily.
        var unrefreshed: Set<Grant> = []
        /// The grants that the server has definitely refused.
        var refusedGrants: Set<Grant> = []
    }

    struct Ending: Sendable {
        let grant: Grant
        let process: Int
        let device: Int
        /// Whether the app knows that the ending is complete.
        ///
        /// Only a complete ending outlives the process.
        var isComplete = false
    }

    struct State: Sendable {
        var generator: SeededGenerator
        var server: [Grant: ServerSide] = [:]
        var processes: [Process] = []
        var stored: [Int: Data] = [:]
        /// The ended sessions, with the process that ended each session.
        var endings: [Ending] = []
        /// The users that were asked to leave a device, whether or not they have left.
        var leaving: [Int: Set<Grant>] = [:]
        var signedOutWithRevocation: [(process: Int, grant: Grant)] = []
        var calls: [Int: (process: Int, departures: [Pair])] = [:]
        /// The actions of each process's user at the moment when data reaches the process.
        var interruptions: [Int: @Sendable () -> Void] = [:]
        var isOver = false
        var frozen: [CheckedContinuation<Void, Never>] = []
        var record = TraceRecord()
        /// The total of the clock jumps during which other jobs could have run.
        var jumps = Duration.zero

        mutating func blame(_ fault: String) {
            if !isOver { record.blame(fault) }
        }

        mutating func end(_ grant: Grant, in process: Int) {
            let device = processes[process].device
            leaving[device, default: []].insert(grant)
            // An app that has not read the vault since its launch cannot know that its tokens were
            // ever in the vault (N15).
            let others = processes.indices.filter { $0 != process }.map { processes[$0] }
            let isHeldBlindly = others.contains {
                $0.device == device && $0.firstUser == grant && !$0.hasLooked && $0.isAlive
            }
            if isHeldBlindly { return }
            endings.append(Ending(grant: grant, process: process, device: device))
        }

        func hasEnded(_ grant: Grant, on device: Int) -> Bool {
            endings.contains { $0.grant == grant && $0.device == device }
        }
    }

    /// The faults that can occur in a trace, besides the server's faults.
    struct Shape: Sendable {
        let vaultsFail: Bool
        let transportIsStubborn: Bool
    }

    let state: Locked<State>
    let shape: Shape
    let clock: ManualClock

    init(seed: UInt64, shape: Shape, clock: ManualClock) {
        state = Locked(State(generator: SeededGenerator(seed: seed)))
        self.shape = shape
        self.clock = clock
    }

    // MARK: Events

    func draw<Result>(_ body: (inout SeededGenerator) -> Result) -> Result { state.withLock { body(&$0.generator) } }

    func chance(_ percent: Int) -> Bool { draw { $0.chance(percent) } }

    func note(_ what: String) {
        let time = clock.now.offset
        state.withLock { state in
            if !state.isOver { state.record.log.append("\(time) \(what)") }
        }
    }

    func blame(_ fault: String) {
        state.withLock { $0.blame(fault) }
    }

    /// The time without the jumps of the clock.
    var steadyTime: Duration { clock.now.offset - state.withLock { $0.jumps } }

    /// Advances the clock while other jobs could run.
    func jump(by duration: Duration) {
        state.withLock { $0.jumps += duration }
        clock.advance(by: duration)
    }

    func user(of process: Int) -> Grant? { state.withLock { $0.processes[process].user } }

    func isAlive(_ process: Int) -> Bool { state.withLock { $0.processes[process].isAlive } }

    func launch(on device: Int, user: Grant?) -> Int {
        state.withLock { state in
            state.processes.append(Process(device: device, firstUser: user, user: user))
            // An app that read the vault before a session ended brings the user back (N15).
            state.endings.removeAll { $0.grant == user && $0.device == device }
            return state.processes.count - 1
        }
    }

    /// Adds a new login on the server.
    func signIn() -> Pair {
        state.withLock { state in
            let grant = state.server.count + 1
            state.server[grant] = ServerSide()
            return Pair(grant: grant, number: 0)
        }
    }

    /// Records that a user signs in or out, before the process itself is told.
    func setUser(_ user: Grant?, of process: Int, revoking: Bool = false) {
        state.withLock { state in
            guard let old = state.processes[process].user else {
                state.processes[process].user = user
                return
            }
            state.processes[process].left[old] = clock.now.offset - state.jumps
            state.end(old, in: process)
            if revoking { state.signedOutWithRevocation.append((process, old)) }
            state.processes[process].user = user
        }
    }

    /// Records that the process reports an expired session.
    func expired(_ process: Int) {
        state.withLock { state in
            let here = state.processes[process]
            guard here.isAlive, let grant = here.user else { return }
            let wasEnded = state.hasEnded(grant, on: here.device)
            if !here.refusedGrants.contains(grant), !wasEnded, !shape.vaultsFail, !othersSignedIn(state, process) {
                state.blame("process \(process) ended the session \(grant) without a reason")
            }
            state.end(grant, in: process)
            state.processes[process].user = nil
        }
    }

    /// Returns whether another process on the device has, or had, tokens of another user in the
    /// vault.
    private func othersSignedIn(_ state: State, _ process: Int) -> Bool {
        state.processes.indices.contains { other in
            other != process && state.processes[other].device == state.processes[process].device
        }
    }

    /// Lets the user act at the moment when a response or the vault reaches the process.
    func mayBeInterrupted(_ process: Int) {
        guard isAlive(process), chance(6) else { return }
        state.withLock { $0.interruptions[process] }?()
    }

    /// Records that a revocation has failed and that the app knows.
    func forgetRevocations(by process: Int) {
        state.withLock { $0.signedOutWithRevocation.removeAll { $0.process == process } }
    }

    func kill(_ process: Int) {
        state.withLock { state in
            state.processes[process].isAlive = false
            state.endings.removeAll { $0.process == process && !$0.isComplete }
        }
    }

    /// Records that the process has completed the requested end of a user's session.
    func completeEndings(of grant: Grant?, in process: Int) {
        state.withLock { state in
            for index in state.endings.indices where state.endings[index].process == process {
                if state.endings[index].grant == grant { state.endings[index].isComplete = true }
            }
        }
    }

    /// Lets time pass or other jobs run.
    ///
    /// It never returns to a dead process.
    func linger(in process: Int, canFail: Bool = false) async {
        enum Lingering {
            case pauses(Int)
            case delay(Duration)
            case forever
        }
        let lingering: Lingering = draw { generator in
            switch Int.random(in: 0..<100, using: &generator) {
            case ..<80: .pauses(Int.random(in: 0...2, using: &generator))
            case ..<97: .delay(.milliseconds(Int.random(in: 1...3000, using: &generator)))
            case ..<99 where canFail: .delay(.seconds(Int.random(in: 8...60, using: &generator)))
            case ..<100 where canFail: .forever
            default: .pauses(5)
            }
        }
        switch lingering {
        case .pauses(let count): for _ in 0..<count { await SeededExecution.pause() }
        case .delay(let duration): await SeededExecution.letPass(duration, on: clock)
        case .forever: await freeze()
        }
        if !isAlive(process) { await freeze() }
    }

    /// Suspends until the trace is over.
    private func freeze() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.frozen.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Resumes all work that never ended and ignores its further actions.
    func end() {
        let frozen = state.withLock { state in
            state.isOver = true
            state.interruptions = [:]
            defer { state.frozen = [] }
            return state.frozen
        }
        for continuation in frozen { continuation.resume() }
    }
}
