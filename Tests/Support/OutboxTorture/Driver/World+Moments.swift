import BackplaneTesting
import TestSupport

/// A moment at which processes are killed.
enum Moment: String, CaseIterable, Sendable {
    case anyTime = "at random"
    case saving
    case saved
    case arrived = "before execution"
    case executed = "after execution"
    case acknowledged
    case parked
    case signedOut = "signed out"
    case outdated = "waiting for update"
    case cutOff = "without network"
    case switching = "at a change of user"
    case together = "two processes"
    case clockJump = "after a clock jump"
    case forgotten = "before keys are forgotten"
}

extension World {
    /// Plays moments in random order until enough processes were killed.
    func play(_ moments: [Moment], kills: Int) async throws {
        var rest: [Moment] = []
        while report.kills < kills {
            if rest.isEmpty { rest = moments.shuffled(using: &generator) }
            server.state.update { $0.isFaulty = true }
            try await play(rest.removeLast())
        }
    }

    private func play(_ moment: Moment) async throws {
        switch moment {
        case .anyTime: try await playAnyTime()
        case .saving, .saved, .acknowledged, .parked: try await playEvent(moment)
        case .arrived: try await playHeld(.beforeExecution, moment)
        case .executed: try await playHeld(.afterExecution, moment)
        case .signedOut: try await playForced(.revoked, until: "waits", moment)
        case .outdated: try await playForced(.outdated, until: "done", moment)
        case .cutOff: try await playForced(.closedBeforeExecution, until: "done", moment)
        case .switching: try await playSwitch()
        case .together: try await playTogether()
        case .clockJump: try await playClockJump()
        case .forgotten: try await playForgotten()
        }
    }

    private func playAnyTime() async throws {
        let child = try start(count: 3 + generator.below(10))
        await kill(child, at: Moment.anyTime.rawValue, within: 400)
    }

    /// Kills a process right after it has told an event.
    private func playEvent(_ moment: Moment) async throws {
        // Of 16 operations, five are refused.
        let child = try start(count: moment == .parked ? 16 : 3 + generator.below(10))
        let number = lastNumbers.randomElement(using: &generator) ?? 0
        switch moment {
        case .saving: await wait(for: "saving \(number)", of: child)
        case .saved: await wait(for: "saved \(number)", of: child)
        case .acknowledged: await wait(for: "acked", "idle", of: child)
        default: await wait(for: "parked", "idle", of: child)
        }
        await kill(child, at: moment.rawValue)
    }

    /// Kills a process whose request the server has, before it gets the response.
    private func playHeld(_ stage: TortureServer.State.Hold.Stage, _ moment: Moment) async throws {
        server.hold(stage)
        let child = try start(count: 3 + generator.below(6))
        await waitUntilHeld(child)
        await kill(child, at: moment.rawValue)
        // Otherwise the request takes effect later, as one that was delayed on its way.
        server.release(dropping: generator.chance(50))
    }

    /// Kills a process that gets the same fault all the time.
    private func playForced(_ fault: Fault, until marker: String, _ moment: Moment) async throws {
        server.state.update { $0.forced = fault }
        let child = try start(count: 3 + generator.below(6))
        await wait(for: marker, of: child)
        await kill(child, at: moment.rawValue, within: 60)
        server.state.update { $0.forced = nil }
    }

    /// Another user signs in while a request of the first one is under way (D24).
    private func playSwitch() async throws {
        let users = Self.accounts.shuffled(using: &generator)
        server.hold(generator.chance(50) ? .beforeExecution : .afterExecution)
        let child = try start(as: users[0], count: 5)
        await wait(for: "done \(users[0])", of: child)
        await waitUntilHeld(child)
        child.send(.switchTo(account: users[1], numbers: reserve(5)))
        await wait(for: "stopped \(users[0])", of: child)
        server.release(dropping: generator.chance(50))
        await wait(for: "done \(users[1])", of: child)
        if generator.chance(50) {
            child.send(.switchTo(account: users[0], numbers: reserve(3)))
            await wait(for: "stopped \(users[1])", of: child)
        }
        await kill(child, at: Moment.switching.rawValue, within: 60)
    }

    /// Two processes use the file at the same time (D8).
    private func playTogether() async throws {
        let account = Self.accounts[generator.below(2)]
        let offset = [0, 0, 40, -40][generator.below(4)]
        let first = try start(as: account, count: 3 + generator.below(8))
        let second = try start(as: account, count: 3 + generator.below(8), beside: true) { $0.clockOffset += offset }
        await kill(first, at: Moment.together.rawValue, within: 300)
        await kill(second, at: Moment.together.rawValue, within: 200)
    }

    /// The clock jumps between two processes while the outcome of an operation is unknown, and once
    /// more while the second one runs.
    private func playClockJump() async throws {
        try await playHeld(.afterExecution, .clockJump)
        let jumps = [3600, -3600, 2 * 86_400, -2 * 86_400]
        let (offset, next) = (jumps[generator.below(4)], jumps[generator.below(4)])
        let child = try start(count: 3 + generator.below(6)) { $0.clockOffset += offset }
        await child.writes(lines: generator.below(6))
        child.send(.setClock(clockOffset + next))
        await kill(child, at: Moment.clockJump.rawValue, within: 200)
    }

    /// The server forgets keys, and from now on it is five days later (D14).
    private func playForgotten() async throws {
        try await playHeld(.afterExecution, .forgotten)
        server.state.update { $0.forgetKeys() }
        clockOffset += 5 * 86_400
        let child = try start(count: 3)
        await wait(for: "done", of: child)
        await kill(child, at: Moment.forgotten.rawValue, within: 200)
    }
}
