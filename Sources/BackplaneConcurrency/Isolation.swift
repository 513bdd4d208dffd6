#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// Traps with a sentence unless the caller runs on an actor.
///
/// On Linux the runtime traps by itself, without the sentence and for the main actor without a
/// word. So there this first asks whether the caller is on the actor, which does not trap, and says
/// the sentence itself.
///
/// - Parameters:
///   - actor: the actor to be on.
///   - executor: the actor's executor.
///   - message: what is wrong, for the trap.
///   - file: the caller's file, for the trap.
///   - line: the caller's line.
@inline(__always)
func checkIsolation(
    to actor: any Actor,
    _ executor: UnownedSerialExecutor,
    _ message: () -> String,
    file: StaticString,
    line: UInt
) {
    #if os(Linux) || os(Android)
        if CurrentExecutor.is(executor) { return }
        CurrentExecutor.trap(on: actor, executor, message(), file, line)
    #else
        actor.preconditionIsolated(message(), file: file, line: line)
    #endif
}

#if os(Linux) || os(Android)
    /// The executor that the caller runs on, as the runtime knows it.
    private enum CurrentExecutor {
        /// `swift_task_isCurrentExecutorWithFlags`, which compilers emit calls of; an executor is
        /// two words.
        private typealias Ask = @convention(c) (UInt, UInt, UInt64) -> Bool

        // Looked up, because the standard library declares it under the same name with types that
        // only it can write. Not found where the runtime is linked statically: then the runtime
        // traps in its own words.
        private static let ask = dlsym(nil, "swift_task_isCurrentExecutorWithFlags")
            .map { unsafeBitCast($0, to: Ask.self) }

        private typealias QueueLabel = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

        // Looked up, because the overlay has no way to ask for the current queue.
        private static var isOnMainQueue: Bool {
            guard let address = dlsym(nil, "dispatch_queue_get_label") else { return true }
            guard let label = unsafeBitCast(address, to: QueueLabel.self)(nil) else { return false }
            return String(cString: label) == "com.apple.main-thread"
        }

        private static func words(of executor: UnownedSerialExecutor) -> (identity: UInt, implementation: UInt) {
            unsafeBitCast(executor, to: (UInt, UInt).self)
        }

        /// Whether the caller runs on an executor; false where only the executor can tell.
        static func `is`(_ executor: UnownedSerialExecutor) -> Bool {
            let (identity, implementation) = words(of: executor)
            // No flags: neither ask the executor nor trap.
            return ask?(identity, implementation, 0) ?? false
        }

        /// Traps, unless the executor itself knows better.
        @inline(never)
        static func trap(
            on actor: any Actor,
            _ executor: UnownedSerialExecutor,
            _ message: String,
            _ file: StaticString,
            _ line: UInt
        ) {
            // An actor without an executor of its own has no implementation, and nobody else to
            // ask.
            if ask != nil, words(of: executor).implementation == 0 { fatalError(message, file: file, line: line) }
            // The main queue's blocks are on the main actor without a task that says so.
            let main = words(of: MainActor.sharedUnownedExecutor)
            if words(of: executor) == main, !isOnMainQueue {
                let line = "\(file):\(line): Fatal error: \(message)\n"
                _ = line.utf8CString.withUnsafeBytes { write(2, $0.baseAddress, $0.count - 1) }
            }
            actor.preconditionIsolated(message, file: file, line: line)
        }
    }
#endif
