import BackplaneStorage
import BackplaneTesting
import Foundation
import GRDB

/// Scenarios that need a file of their own, or much time.
extension World {
    enum Scenario: String, CaseIterable, Sendable {
        case forgottenKeys = "forgotten keys"
        case staleToken = "a stale token offline"
        case signInLater = "a sign-in a day later"
        case lostReplyBeforeUpdate = "an update after a lost reply"
        case lockedDrain = "drain of a locked file"
        case fullAtLaunch = "a full disk at launch"
        case restoredCopy = "a copy from a backup"
        case suspension = "a suspended process"
        case renewal = "a lease that is renewed"

        /// Whether it waits for a lease to end.
        var isLong: Bool { self == .suspension || self == .renewal }
    }

    /// Plays a scenario, and returns the report of its end.
    func play(_ scenario: Scenario) async throws -> Report {
        switch scenario {
        case .forgottenKeys: return try await playForgottenKeys(keyWindow: 1800)
        case .staleToken: return try await playStaleToken()
        case .signInLater: return try await playSignInLater()
        case .lostReplyBeforeUpdate: return try await playLostReplyBeforeUpdate()
        case .lockedDrain: return try await playLockedDrain()
        case .fullAtLaunch: return try await playFullAtLaunch()
        case .restoredCopy: return try await playRestoredCopy()
        case .suspension: return try await playSuspension()
        case .renewal: return try await playRenewal()
        }
    }

    /// The server forgets keys while the outcome of operations is unknown, and a process of an hour
    /// later finds them (D14).
    ///
    /// The window is how long the client believes that the server remembers keys, in seconds.
    func playForgottenKeys(keyWindow: Int) async throws -> Report {
        server.hold(.afterExecution)
        // Only one, because in this state it blocks all others of its entity.
        let child = try start(as: "ada", count: 1) { $0.isPlain = true }
        await waitUntilHeld(child)
        await kill(child, at: Scenario.forgottenKeys.rawValue)
        server.release(dropping: true)
        server.state.update { $0.forgetKeys() }
        let ending = try await drain("ada") { orders in
            (orders.clockOffset, orders.keyWindow, orders.reviews) = (3600, keyWindow, false)
        }
        if ending.left.map(\.state) != ["needsReview"] {
            fail(.stuck, "operations with forgotten keys were \(ending.left.map(\.state))")
        }
        return try await finish()
    }

    /// The access token expires without a network, and cannot be refreshed for a week (D26).
    ///
    /// Nothing may wait for a decision, because no request has had an effect.
    private func playStaleToken() async throws -> Report {
        let child = try start(as: "ada", count: 0) { ($0.reviews, $0.isPlain) = (false, true) }
        await wait(for: "done", of: child)
        child.send(.setOffline(true))
        child.send(.enqueue(reserve(3)))
        await wait(for: "saved \(lastNumbers.last ?? 0)", of: child)
        server.state.update { state in
            state.refreshFails = true
            state.expireTokens()
        }
        let refusals = server.state.value.faults["refused tokens", default: 0]
        child.send(.setOffline(false))
        await server.state.wait { $0.faults["refused tokens", default: 0] > refusals }
        child.send(.setClock(8 * 86_400))
        server.heal()
        await wait(for: "acked \(lastNumbers.last ?? 0)", "parked", of: child)
        await kill(child, at: Scenario.staleToken.rawValue)
        return try await finish { ($0.reviews, $0.clockOffset) = (false, 8 * 86_400) }
    }

    /// A user whose tokens are revoked signs in again a day later, in a later process (D26).
    private func playSignInLater() async throws -> Report {
        server.state.update { $0.forced = .revoked }
        let child = try start(as: "ada", count: 1) { ($0.reviews, $0.isPlain) = (false, true) }
        await wait(for: "waits", of: child)
        await kill(child, at: Scenario.signInLater.rawValue)
        return try await finish { ($0.reviews, $0.clockOffset) = (false, 2 * 86_400) }
    }

    /// After a lost reply the server wants an update of the app (D27).
    ///
    /// The update comes after the key window, when the server has forgotten the key.
    private func playLostReplyBeforeUpdate() async throws -> Report {
        server.state.update { $0.forced = .droppedReply }
        let child = try start(as: "ada", count: 1) { $0.isPlain = true }
        await server.state.wait { $0.history.exchanges.contains { $0.execution != nil } }
        server.state.update { $0.forced = .outdated }
        await server.state.wait { $0.faults["outdated"] != nil }
        await kill(child, at: Scenario.lostReplyBeforeUpdate.rawValue, within: 20)
        server.state.update { $0.forgetKeys() }
        let ending = try await drain("ada") { ($0.clockOffset, $0.reviews) = (2 * 86_400, false) }
        if ending.left.map(\.state) != ["needsReview"] {
            fail(.stuck, "an operation with an unknown outcome was \(ending.left.map(\.state)) after an update")
        }
        return try await finish { $0.clockOffset = 2 * 86_400 }
    }

    /// Another program locks the file while the app must stop (D38).
    private func playLockedDrain() async throws -> Report {
        server.state.update { $0.forced = .unavailable }
        let child = try start(as: "ada", count: 6)
        await wait(for: "done", of: child)
        let file = try connect()
        try await file.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let start = ContinuousClock.now
        child.send(.drain(200))
        // The lock stays until the drain has returned.
        await wait(for: "drained", of: child)
        let time = (ContinuousClock.now - start) / .seconds(1)
        // A wait for a lock takes five seconds by default.
        if time > 4 { fail(.liveness, "a drain of 0.2 s took \(time) s on a locked file") }
        try await file.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        await kill(child, at: Scenario.lockedDrain.rawValue)
        return try await finish()
    }

    /// The file may not grow until its reserve is gone (D15, D35).
    ///
    /// This needs no file system of its own.
    private func playFullAtLaunch() async throws -> Report {
        for round in 0..<4 {
            server.state.update { $0.isFaulty = true }
            mayBeFull = round > 0
            // With a reserve, a launch succeeds, however full the disk is.
            let reserve = FileManager.default.fileExists(atPath: path + "-reserve")
            let child = try start(as: "ada", count: 12) { $0.limitsPages = round > 0 }
            await wait(for: "done", of: child)
            if child.lines.contains("unlimited") { fail(.notPlayed, "this SQLite cannot limit pages") }
            if reserve, child.outcome == .exited(Client.cannotOpen) {
                fail(.ended, "a launch on a full disk with a reserve, after \(child.lines.suffix(2))")
            }
            await kill(child, at: Scenario.fullAtLaunch.rawValue, within: 200)
        }
        return try await finish()
    }

    /// The file is replaced by a copy from before its operations were sent, and the server has
    /// forgotten their keys (D16).
    private func playRestoredCopy() async throws -> Report {
        // The server refuses none of the numbers 16, 17 and 18.
        _ = reserve(15)
        server.hold(.afterExecution)
        let child = try start(as: "ada", count: 3) { $0.isPlain = true }
        await wait(for: "done", of: child)
        await waitUntilHeld(child)
        await kill(child, at: Scenario.restoredCopy.rawValue)
        server.release(dropping: true)
        let (file, files) = (URL(filePath: path), FileManager.default)
        let backup = file.deletingLastPathComponent().appending(path: "backup")
        try files.createDirectory(at: backup, withIntermediateDirectories: true)
        try Outbox.copyFiles(of: file, to: backup)
        _ = try await drain("ada")
        for suffix in ["", "-wal", "-shm", "-install"] { try? files.removeItem(atPath: path + suffix) }
        try Outbox.copyFiles(of: backup.appending(path: file.lastPathComponent), to: file.deletingLastPathComponent())
        server.state.update { $0.forgetKeys() }
        let ending = try await drain("ada") { $0.reviews = false }
        if ending.left.map(\.state) != Array(repeating: "needsReview", count: 3) {
            fail(.stuck, "the operations of a copy were \(ending.left.map(\.state))")
        }
        return try await finish()
    }

    /// A process is suspended in mid-send for longer than its lease, and another one takes over.
    private func playSuspension() async throws -> Report {
        for _ in 0..<2 {
            server.hold(.afterExecution)
            let first = try start(as: "ada", count: 4) { $0.isPlain = true }
            await wait(for: "done ada", of: first)
            await waitUntilHeld(first)
            try suspend(first)
            server.release()
            let second = try start(as: "ada", count: 3, beside: true) { $0.isPlain = true }
            await wait(for: "acked", of: second)
            first.resume()
            await wait(for: "acked", of: first)
            await kill(first, at: Scenario.suspension.rawValue)
            await kill(second, at: "beside a suspended process")
        }
        return try await finish()
    }

    /// A request takes longer than a lease, and another process waits for its turn (D8).
    private func playRenewal() async throws -> Report {
        server.hold(.afterExecution)
        let first = try start(as: "ada", count: 2) { $0.isPlain = true }
        await waitUntilHeld(first)
        let second = try start(as: "ada", count: 2, beside: true) { $0.isPlain = true }
        await wait(for: "done", of: second)
        // Another user's process lives longer than a lease of 15 seconds that nobody renews.
        let bob = try start(as: "bob", count: 1, beside: true) { $0.isPlain = true }
        _ = await bob.end(after: 20_000)
        let requests = server.state.value.history.exchanges.count { $0.operation.account == "ada" }
        if requests != 1 { fail(.early, "\(requests) requests while the first one was under way") }
        server.release()
        await wait(for: "idle", of: first)
        await kill(first, at: Scenario.renewal.rawValue)
        await kill(second, at: "beside a renewed lease", within: 50)
        return try await finish()
    }
}
