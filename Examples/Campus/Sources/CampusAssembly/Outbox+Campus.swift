package import BackplaneStorage
package import Foundation

extension Outbox {
    /// Opens the file of the changes that outlive the process, or creates it.
    ///
    /// - Parameters:
    ///   - file: the file, which belongs to the whole process and to all users.
    ///   - timeOfDay: returns the time of day.
    /// - Returns: the outbox.
    /// - Throws: `StorageError` if the file cannot be used; it is never replaced.
    package static func campus(
        file: URL,
        timeOfDay: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Outbox {
        try Outbox(file: file, kinds: [.todos, .messages, .favorites, .purchases], timeOfDay: timeOfDay)
    }
}

extension OutboxKind {
    /// How long the API remembers a key.
    private static let keyWindow = Duration.seconds(24 * 60 * 60)

    static let todos = OutboxKind("todos", keyWindow: keyWindow)
    // Readers see messages in the order they were written, so a refused one holds back the next.
    static let messages = OutboxKind("messages", keyWindow: keyWindow, blocksFollowing: true)
    static let favorites = OutboxKind("favorites", keyWindow: keyWindow)
    static let purchases = OutboxKind("purchases", keyWindow: keyWindow)
}
