internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// The sender that holds a lease, as it stands in the file (D8).
///
/// The name contains the process. So the lease of a process that was killed is free at once, and
/// not only after its time.
struct OutboxHolder: Sendable, CustomStringConvertible {
    /// Different in each process, because a system gives the number of an ended process to another
    /// one.
    private static let process = UUID().uuidString

    let description = "\(getpid())/\(process)/\(UUID().uuidString)"

    /// Returns whether the process of a holder may still run.
    static func mayBeAlive(_ holder: String) -> Bool {
        let parts = holder.split(separator: "/")
        guard parts.count == 3, let id = pid_t(parts[0]) else { return true }
        if id == getpid() { return parts[1] == process }
        return kill(id, 0) == 0 || errno != ESRCH
    }
}
