import Foundation

#if canImport(GRDBSQLite)
    import GRDBSQLite
#endif

/// A full disk where nothing may be mounted: a file that may not grow while its reserve exists.
enum PageLimit {
    #if canImport(GRDBSQLite)
        private typealias EntryPoint = @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32

        /// Limits the pages of each connection that this process opens from now on.
        ///
        /// - Returns: Whether this machine can.
        static func install() -> Bool {
            let limit: EntryPoint = { connection, _, _ in
                let path = String(cString: sqlite3_db_filename(connection, "main"))
                guard FileManager.default.fileExists(atPath: path + "-reserve") else { return SQLITE_OK }
                var statement: OpaquePointer?
                sqlite3_prepare_v2(connection, "PRAGMA page_count", -1, &statement, nil)
                sqlite3_step(statement)
                let pages = max(sqlite3_column_int(statement, 0), 1)
                sqlite3_finalize(statement)
                return sqlite3_exec(connection, "PRAGMA max_page_count = \(pages)", nil, nil, nil)
            }
            return sqlite3_auto_extension(unsafeBitCast(limit, to: (@convention(c) () -> Void).self)) == SQLITE_OK
        }
    #else
        // The SQLite of Apple's systems has no such entry point.
        static func install() -> Bool { false }
    #endif
}
