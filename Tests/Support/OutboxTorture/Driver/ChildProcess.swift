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

    /// Waits until the process has written a line of this text, or one that begins with this word.
    ///
    /// - Returns: Whether it has; `false` also if the process has ended.
    func writes(_ text: String, within time: Duration) async -> Bool {
        let isMarker: @Sendable (String) -> Bool = { $0 == text || $0.hasPrefix("\(text) ") }
        _ = await state.wait(within: time) { state in
            state.lines.contains(where: isMarker) || state.outcome != nil && state.isRead
        }
        return lines.contains(where: isMarker)
    }

    /// Waits until the process has ended by itself.
    func ends(within time: Duration) async -> Bool {
        await state.wait(within: time) { $0.outcome != nil && $0.isRead }
    }

    /// Gives an order; a process that has ended does not get it.
    func send(_ command: ClientCommand) {
        guard let line = try? JSONEncoder().encode(command) + Data("\n".utf8) else { return }
        try? commands.write(contentsOf: line)
    }

    /// Stops the process as a debugger does: it holds its files and connections, and does nothing.
    func suspend() { _ = kill(id, SIGSTOP) }

    func resume() { _ = kill(id, SIGCONT) }

    /// Ends the process with SIGKILL.
    ///
    /// - Returns: Whether it ran until then.
    func end() async -> Bool {
        if outcome != nil { return false }
        _ = kill(id, SIGKILL)
        await state.wait { $0.outcome != nil && $0.isRead }
        return outcome == .killed
    }
}

extension Watched {
    /// Suspends until the value meets a condition, or some time is over.
    ///
    /// - Returns: Whether the value meets it.
    func wait(within time: Duration, until condition: @escaping @Sendable (Value) -> Bool) async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(until: condition) }
            // A bound, which a run that passes never reaches.
            group.addTask { try? await Task.sleep(for: time) }
            _ = await group.next()
            group.cancelAll()
        }
        return condition(value)
    }
}
