#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// Traps with a message unless the caller runs on an actor.
///
/// On Linux the runtime traps without this message, and for the main actor without any message. So
/// on Linux this function first asks whether the caller runs on the actor, which does not trap, and
/// then prints the message itself.
///
/// - Parameters:
///   - actor: the actor that the caller must run on.
///   - executor: the executor of the actor.
///   - message: the problem, as the trap prints it.
///   - file: the file of the caller, as the trap prints it.
///   - line: the line of the caller.
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
        /// The type of `swift_task_isCurrentExecutorWithFlags`, a function that compilers call; an
        /// executor is two words.
        private typealias Ask = @convention(c) (UInt, UInt, UInt64) -> Bool

        // Looked up at run time, because the standard library declares this function with types
        // that only it can use. The look-up fails if the runtime is linked statically; then the
        // runtime traps with its own message.
        private static let ask = dlsym(nil, "swift_task_isCurrentExecutorWithFlags")
            .map { unsafeBitCast($0, to: Ask.self) }

        private typealias QueueLabel = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

        // Looked up at run time, because the Swift overlay of Dispatch cannot return the current
        // queue.
        private static var isOnMainQueue: Bool {
            guard let address = dlsym(nil, "dispatch_queue_get_label") else { return true }
            guard let label = unsafeBitCast(address, to: QueueLabel.self)(nil) else { return false }
            return String(cString: label) == "com.apple.main-thread"
        }

        private static func words(of executor: UnownedSerialExecutor) -> (identity: UInt, implementation: UInt) {
            unsafeBitCast(executor, to: (UInt, UInt).self)
        }

        /// Returns whether the caller runs on an executor, or `false` if only the executor itself
        /// can tell.
        static func `is`(_ executor: UnownedSerialExecutor) -> Bool {
            let (identity, implementation) = words(of: executor)
            // No flags: the runtime neither asks the executor nor traps.
            return ask?(identity, implementation, 0) ?? false
        }

        /// Traps, unless the executor itself says that the caller runs on it.
        @inline(never)
        static func trap(
            on actor: any Actor,
            _ executor: UnownedSerialExecutor,
            _ message: String,
            _ file: StaticString,
            _ line: UInt
        ) {
            // An actor without its own executor has no implementation word, so no executor is left
            // to ask.
            if ask != nil, words(of: executor).implementation == 0 { fatalError(message, file: file, line: line) }
            // Blocks on the main queue are on the main actor, but they run without a task that says
            // so.
            let main = words(of: MainActor.sharedUnownedExecutor)
            if words(of: executor) == main, !isOnMainQueue {
                let line = "\(file):\(line): Fatal error: \(message)\n"
                _ = line.utf8CString.withUnsafeBytes { write(2, $0.baseAddress, $0.count - 1) }
            }
            actor.preconditionIsolated(message, file: file, line: line)
        }
    }
#endif
