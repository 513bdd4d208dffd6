internal import BackplaneConcurrency
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
/// not only after its time. In one process, the lease of an account that was released is free, too.
final class OutboxHolder: Sendable, CustomStringConvertible {
    /// Different in each process, because a system gives the number of an ended process to another
    /// one.
    private static let process = UUID().uuidString
    /// The holders of this process that have not ended.
    private static let living = Locked<Set<String>>([])

    let description = "\(getpid())/\(process)/\(UUID().uuidString)"

    init() { Self.living.withLock { _ = $0.insert(description) } }

    /// Notes that the sender sends nothing more.
    func end() { Self.living.withLock { _ = $0.remove(description) } }

    /// Returns whether a holder, perhaps of another process, may still send.
    static func mayBeAlive(_ holder: String) -> Bool {
        let parts = holder.split(separator: "/")
        guard parts.count == 3, let id = pid_t(parts[0]) else { return true }
        if id == getpid() { return living.withLock { $0.contains(holder) } }
        return kill(id, 0) == 0 || errno != ESRCH
    }
}
