import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A program that runs beside a test.
public struct ChildProcess: Sendable {
    /// The output of the program.
    public let output: ProcessOutput
    private let execution: Execution<NoInput, SequenceOutput, CombinedErrorOutput>

    init(_ execution: Execution<NoInput, SequenceOutput, CombinedErrorOutput>, output: ProcessOutput) {
        self.execution = execution
        self.output = output
    }

    /// The ID of the process.
    public var processID: Int32 { execution.processIdentifier.value }

    /// Kills the program without a chance to clean up, and returns when the program has ended.
    public func kill() async {
        await execution.teardown(using: [])
    }
}

/// Runs a program, and runs `body` beside it when the program is ready.
///
/// The program is ended when `body` returns or throws, or when the task is cancelled: with a
/// `SIGTERM`, and five seconds later with a `SIGKILL`. It has ended when this function returns.
///
/// - Parameters:
///   - executable: the path of the program, or a name to look up in `PATH`.
///   - arguments: the program's arguments.
///   - environment: the variables to add to the test's own environment.
///   - ready: a closure that receives each line of standard output and standard error, in order,
///     until it returns a value.
///   - body: the code to run beside the program, with the program and the value of `ready`.
/// - Returns: the result of `body`.
/// - Throws: ``ChildProcessError`` if the program ends before it is ready, and the errors of
///   `body`.
public func withChildProcess<Readiness, Value: Sendable>(
    _ executable: String,
    arguments: [String],
    environment: [String: String] = [:],
    ready: (String) -> Readiness?,
    _ body: (ChildProcess, Readiness) async throws -> Value
) async throws -> Value {
    var options = PlatformOptions()
    // On cancellation, the program would be killed at once. But `body` ends first, because it may
    // have to end processes that the program has started. Meanwhile the program gets a signal
    // without effect.
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
        // After the program is ready, no code reads these lines any longer.
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
