import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A program that runs beside a test.
public struct ChildProcess: Sendable {
    /// What the program writes.
    public let output: ProcessOutput
    private let execution: Execution<NoInput, SequenceOutput, CombinedErrorOutput>

    init(_ execution: Execution<NoInput, SequenceOutput, CombinedErrorOutput>, output: ProcessOutput) {
        self.execution = execution
        self.output = output
    }

    /// Ends the program as a crash would, without a chance to clean up; it is gone when this returns.
    public func kill() async {
        await execution.teardown(using: [])
    }
}

/// Runs a program beside `body`, which starts when the program has said that it is ready.
///
/// The program is ended when `body` returns or throws, or when the task is cancelled: with a `SIGTERM`, and five seconds
/// later with a `SIGKILL`. It has ended when this returns.
///
/// - Parameters:
///   - executable: the path of the program, or a name to look up in `PATH`.
///   - arguments: the program's arguments.
///   - environment: what is added to the test's own environment.
///   - ready: is given each line that the program writes to standard output or error, in order, until it returns what
///     the lines have told.
///   - body: what to do meanwhile.
/// - Returns: what `body` returns.
/// - Throws: ``ChildProcessError`` when the program ends before it is ready, and whatever `body` throws.
public func withChildProcess<Readiness, Value: Sendable>(
    _ executable: String,
    arguments: [String],
    environment: [String: String] = [:],
    ready: (String) -> Readiness?,
    _ body: (ChildProcess, Readiness) async throws -> Value
) async throws -> Value {
    var options = PlatformOptions()
    // When the task is cancelled, the program would be killed at once. But `body` comes first, which may have to end what
    // the program has started; meanwhile the program gets a signal that does nothing.
    options.teardownSequence = [.send(signal: .resume, allowedDurationToNextStep: .seconds(20))]
    return try await run(
        executable.contains("/") ? .path(FilePath(executable)) : .name(executable),
        arguments: Arguments(arguments),
        environment: .inherit.updating(
            Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })
        ),
        platformOptions: options,
        input: .none,
        output: .sequence,
        error: .combinedWithOutput
    ) { execution in
        // Once the program is ready nobody waits for each of its lines any more.
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(100))
        let output = ProcessOutput(of: executable)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                for try await line in execution.standardOutput.strings() {
                    continuation.yield(line)
                    await output.append(line)
                }
                await output.complete()
            }
            do {
                let readiness = try await firstReadiness(in: lines, of: executable, ready: ready)
                let value = try await body(ChildProcess(execution, output: output), readiness)
                await end(execution)
                group.cancelAll()
                return value
            } catch {
                await end(execution)
                throw error
            }
        }
    }.closureResult
}

private func firstReadiness<Readiness>(
    in lines: AsyncStream<String>,
    of executable: String,
    ready: (String) -> Readiness?
) async throws -> Readiness {
    var output: [String] = []
    for await line in lines {
        if let readiness = ready(line) { return readiness }
        output.append(line)
    }
    try Task.checkCancellation()
    throw ChildProcessError(executable: executable, output: output)
}

private func end(_ execution: Execution<NoInput, SequenceOutput, CombinedErrorOutput>) async {
    await execution.teardown(using: [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))])
}
