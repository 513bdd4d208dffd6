import BackplaneConcurrency
import BackplaneTesting
import Foundation

/// A server, devices with a vault each, and the processes on them, as somebody sees them who looks at requests and vaults only.
///
/// It notes what breaks a rule about sessions (N1 to N17). It knows those rules and nothing of how they are kept.
final class SessionWorld: Sendable {
    /// One log-in.
    ///
    /// Its pairs of tokens are numbered; each is named by both.
    typealias Grant = Int

    struct Pair: Hashable, Sendable {
        let grant: Grant
        let number: Int

        /// The pair to which a token belongs, as in "access-3.1".
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
        /// The one before it may be refreshed once more, with the same result (N11).
        var latest = 0
        /// Pairs whose access token is no longer accepted.
        var refused: Set<Int> = []
        var revoked: Set<Int> = []
        var isDead = false
    }

    struct Process: Sendable {
        let device: Int
        let firstUser: Grant?
        /// The user who is signed in, by what the app has asked for and been told.
        var user: Grant?
        var isAlive = true
        /// Whether it has read the vault since it was launched.
        var hasLooked = false
        /// Whose refresh has left and has not been answered.
        var refreshing: Set<Grant> = []
        /// The access tokens whose refusal has been received.
        var receivedRefusals: Set<Pair> = []
        /// The refused access tokens of which the session must know by now.
        var knownRefusals: Set<Pair> = []
        /// The newest pair of each grant that it was given by a refresh.
        var received: [Grant: Int] = [:]
        /// When users left, jumps of the clock apart.
        var left: [Grant: Duration] = [:]
        /// The grants of which a refresh has failed for the time being.
        var unrefreshed: Set<Grant> = []
        /// The grants of which it was told that they are no good.
        var refusedGrants: Set<Grant> = []
    }

    struct Ending: Sendable {
        let grant: Grant
        let process: Int
        let device: Int
        /// Whether the app has been told that all is done: only then does it outlive the process.
        var isComplete = false
    }

    struct State: Sendable {
        var generator: SeededGenerator
        var server: [Grant: ServerSide] = [:]
        var processes: [Process] = []
        var stored: [Int: Data] = [:]
        /// Sessions that were ended, with the process that did.
        var endings: [Ending] = []
        /// The users who have been asked to go on a device, whether or not that has been done.
        var leaving: [Int: Set<Grant>] = [:]
        var signedOutWithRevocation: [(process: Int, grant: Grant)] = []
        var calls: [Int: (process: Int, departures: [Pair])] = [:]
        /// An action of each process's user, for the very moment when something reaches the process.
        var interruptions: [Int: @Sendable () -> Void] = [:]
        var isOver = false
        var frozen: [CheckedContinuation<Void, Never>] = []
        var record = TraceRecord()
        /// How far the clock was moved while others might have run.
        var jumps = Duration.zero

        mutating func blame(_ fault: String) {
            if !isOver { record.blame(fault) }
        }

        mutating func end(_ grant: Grant, in process: Int) {
            let device = processes[process].device
            leaving[device, default: []].insert(grant)
            // An app that has read the vault, and not yet looked again, cannot know that the tokens it has were ever there (N15).
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

    /// The faults that may occur in a trace, apart from the server's.
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

    // MARK: What happens

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

    /// The time, jumps of the clock apart.
    var steadyTime: Duration { clock.now.offset - state.withLock { $0.jumps } }

    /// Moves the clock while others might run.
    func jump(by duration: Duration) {
        state.withLock { $0.jumps += duration }
        clock.advance(by: duration)
    }

    func user(of process: Int) -> Grant? { state.withLock { $0.processes[process].user } }

    func isAlive(_ process: Int) -> Bool { state.withLock { $0.processes[process].isAlive } }

    func launch(on device: Int, user: Grant?) -> Int {
        state.withLock { state in
            state.processes.append(Process(device: device, firstUser: user, user: user))
            // An app that read the vault before an ending reached it brings the user back (N15).
            state.endings.removeAll { $0.grant == user && $0.device == device }
            return state.processes.count - 1
        }
    }

    /// A new log-in, as the server sees it.
    func logIn() -> Pair {
        state.withLock { state in
            let grant = state.server.count + 1
            state.server[grant] = ServerSide()
            return Pair(grant: grant, number: 0)
        }
    }

    /// Somebody has come or gone, which the process is about to be told.
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

    /// The process says that its session has expired.
    func expired(_ process: Int) {
        state.withLock { state in
            let here = state.processes[process]
            guard here.isAlive, let grant = here.user else { return }
            let wasEnded = state.hasEnded(grant, on: here.device)
            if !here.refusedGrants.contains(grant), !wasEnded, !shape.vaultsFail, !othersSignedIn(state, process) {
                state.blame("process \(process) ended the session \(grant) for no reason")
            }
            state.end(grant, in: process)
            state.processes[process].user = nil
        }
    }

    /// Whether another process on the device has, or had, somebody else's tokens in the vault.
    private func othersSignedIn(_ state: State, _ process: Int) -> Bool {
        state.processes.indices.contains { other in
            other != process && state.processes[other].device == state.processes[process].device
        }
    }

    /// The process has been reached by an answer, or has reached the vault: its user may act just now.
    func mayBeInterrupted(_ process: Int) {
        guard isAlive(process), chance(6) else { return }
        state.withLock { $0.interruptions[process] }?()
    }

    /// A revocation has failed, and the app has been told.
    func forgetRevocations(by process: Int) {
        state.withLock { $0.signedOutWithRevocation.removeAll { $0.process == process } }
    }

    func kill(_ process: Int) {
        state.withLock { state in
            state.processes[process].isAlive = false
            state.endings.removeAll { $0.process == process && !$0.isComplete }
        }
    }

    /// Notes that the process has ended a user's session, as it was asked to.
    func completeEndings(of grant: Grant?, in process: Int) {
        state.withLock { state in
            for index in state.endings.indices where state.endings[index].process == process {
                if state.endings[index].grant == grant { state.endings[index].isComplete = true }
            }
        }
    }

    /// Lets time pass or others run, and never returns to a process that is dead.
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

    /// Lets go of whatever never ended; what it does then is of no interest.
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
