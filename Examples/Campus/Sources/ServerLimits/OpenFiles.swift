#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The number of files, with connections, that the process may have open.
public enum OpenFiles {
    /// Raises the limit to the highest one that the system allows without privileges.
    ///
    /// Call it at the start, because the standard limits of connections follow from it.
    ///
    /// - Returns: the limit; what it was if the system refuses.
    @discardableResult
    public static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return current }
        #if canImport(Darwin)
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        _ = setrlimit(resource, &limit)
        return current
    }

    /// The limit now.
    public static var current: Int {
        let count = sysconf(CInt(_SC_OPEN_MAX))
        return count > 0 ? count : 1024
    }

    #if canImport(Darwin)
        private static var resource: CInt { RLIMIT_NOFILE }
    #else
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #endif
}
