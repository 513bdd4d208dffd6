import BackplaneConcurrency
import BackplaneTesting
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A process that the driver has started, with the lines that it writes.
final class ChildProcess: Sendable {
    enum Outcome: Hashable, Sendable {
        case exited(Int32)
        case killed
    }

    private struct State: Sendable {
        var lines: [String] = []
        /// Whether all lines have been read.
        var isRead = false
        var outcome: Outcome?

        var hasEnded: Bool { outcome != nil && isRead }
    }

    private let state: Watched<State>
    private let id: pid_t
    private let commands: FileHandle

    /// Starts a program.
    init(_ program: URL, _ arguments: [String]) throws {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        let state = Watched(State())
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.terminationHandler = { process in
            let outcome = process.terminationReason == .exit ? Outcome.exited(process.terminationStatus) : .killed
            state.update { $0.outcome = outcome }
        }
        try process.run()
        self.state = state
        id = process.processIdentifier
        commands = input.fileHandleForWriting
        let reader = output.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            var data = reader.availableData
            while !data.isEmpty {
                rest += data
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<newline], as: UTF8.self)
                    rest = Data(rest[newline...].dropFirst())
                    state.update { $0.lines.append(line) }
                }
                data = reader.availableData
            }
            state.update { $0.isRead = true }
        }
    }

    var lines: [String] { state.value.lines }

    /// How the process has ended, or `nil` if it runs.
    var outcome: Outcome? { state.value.outcome }

    /// Waits until the process has written one of these lines, or one that begins with such a word.
    ///
    /// - Returns: Whether it has; `false` also if the process has ended.
    func writes(_ texts: [String]) async -> Bool {
        let isMarker: @Sendable (String) -> Bool = { line in
            texts.contains { line == $0 || line.hasPrefix("\($0) ") }
        }
        await state.wait { $0.lines.contains(where: isMarker) || $0.hasEnded }
        return lines.contains(where: isMarker)
    }

    /// Waits until the process has written so many lines, or has ended.
    func writes(lines count: Int) async {
        await state.wait { $0.lines.count >= count || $0.hasEnded }
    }

    /// Waits until the process has ended by itself.
    func hasEnded() async {
        await state.wait { $0.hasEnded }
    }

    /// Gives an order; a process that has ended does not get it.
    func send(_ command: ClientCommand) {
        guard let line = try? JSONEncoder().encode(command) + Data("\n".utf8) else { return }
        try? commands.write(contentsOf: line)
    }

    /// Stops the process as a debugger does: it holds its files and connections, and does nothing.
    ///
    /// On return, it has stopped.
    func suspend() {
        _ = kill(id, SIGSTOP)
        var information = siginfo_t()
        _ = waitid(P_PID, id_t(id), &information, WSTOPPED | WNOWAIT)
    }

    func resume() { _ = kill(id, SIGCONT) }

    /// Ends the process with SIGKILL.
    ///
    /// - Parameter milliseconds: How long it may run until then. The time is an input of the run,
    ///   like a fault.
    /// - Returns: Whether it ran until then.
    func end(after milliseconds: Int = 0) async -> Bool {
        if outcome != nil { return false }
        let wasKilled = Locked(false)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            guard self.outcome == nil else { return }
            wasKilled.withLock { $0 = true }
            _ = kill(self.id, SIGKILL)
        }
        await hasEnded()
        return wasKilled.withLock { $0 } && outcome == .killed
    }
}
