internal import GRDB

extension StorageError {
    static func cannotOpenOutbox(_ path: String, _ cause: any Error) -> StorageError {
        let isDamaged = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains((cause as? DatabaseError)?.resultCode)
        return StorageError(
            code: isDamaged ? .unreadable : .cannotOpen,
            path: path,
            message: isDamaged
                ? """
                The outbox is damaged and was not changed. Keep a copy of it with `Outbox.copyFiles(of:to:)`, then \
                open another file. Operations in it are not sent.
                """
                : """
                The outbox could not be opened, and was not replaced. Check that its directory exists and is writable. \
                On a device, try again after the first unlock.
                """,
            cause: cause
        )
    }

    static func notSaved(_ path: String, _ cause: (any Error)?) -> StorageError {
        StorageError(
            code: .notSaved,
            path: path,
            message: """
                The operation was not saved and will not be sent. Tell the user, and check that the disk has free \
                space. See `cause` for SQLite's reason.
                """,
            cause: cause
        )
    }

    static func outboxFull(_ path: String) -> StorageError {
        StorageError(
            code: .full,
            path: path,
            message: """
                The operation was not saved, because the outbox is at its limit. Nothing that was saved earlier is \
                removed. Let the user connect or discard operations, or raise the limits of the outbox.
                """,
            cause: nil
        )
    }

    static func newerOutbox(_ path: String) -> StorageError {
        StorageError(
            code: .newerVersion,
            path: path,
            message: """
                A newer version of the app has written the outbox, so it can only be read and exported. Update the app.
                """,
            cause: nil
        )
    }

    static func outboxFailed(_ path: String, _ cause: any Error) -> StorageError {
        StorageError(
            code: .databaseFailed,
            path: path,
            message: """
                The outbox could not be read or written, and has not changed. Check that the disk has free space and \
                that no other process keeps the file locked. See `cause` for SQLite's reason.
                """,
            cause: cause
        )
    }

    static func noSuchOperation(_ path: String, _ id: String, _ problem: String) -> StorageError {
        StorageError(
            code: .noSuchOperation,
            path: path,
            message: "The operation \(id) \(problem). Read the operations again and decide about what is left.",
            cause: nil
        )
    }
}
