import BackplaneStorage
import BackplaneTesting
import Foundation
import GRDB
import TestSupport

/// Access to the file behind the back of the outbox.
extension OutboxBench {
    /// Changes the file, as damage, an older backup or another process does.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try connect().write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Returns the first column of all rows as text.
    func texts(_ sql: String) throws -> [String] {
        try connect().read { try String.fetchAll($0, sql: sql) }
    }

    /// Runs `body` while another connection writes, so that nothing can be saved.
    func whileLocked(_ body: () throws -> Void) throws {
        try connect().write { _ in try body() }
    }

    /// Another connection to the file.
    func connect() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    /// The time of day in milliseconds, as it stands in the file.
    var milliseconds: Int64 { 1_000_000_000 + Int64(((shift + clock.now.offset) / .milliseconds(1)).rounded()) }
}

extension AccountOutbox {
    /// The labels, or else the entities, of all operations with their states, oldest first.
    var states: [String] {
        get async throws {
            try await operations(limit: 1000).map { "\($0.label ?? $0.entity): \($0.state)" }
        }
    }

    /// Gives a sender that should do nothing the time to do something: a turn of a sender is one
    /// access to the file, and here are many.
    func letOthersRun() async throws {
        for _ in 0..<200 {
            _ = try await operations(limit: 1)
            await Task.yield()
        }
    }
}
