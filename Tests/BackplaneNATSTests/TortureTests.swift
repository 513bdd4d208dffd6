#if NATS && (os(macOS) || os(Linux))
    import Backplane
    import BackplaneConcurrency
    import BackplaneTesting
    import Foundation
    import Testing
    import TestSupport

    @testable import BackplaneNATS

    /// Kills workers and the server while jobs run, and counts what the activations saw.
    ///
    /// `BACKPLANE_NATS_JOBS=1000` runs more jobs, with as many more kills.
    @MainActor @Suite(.timeLimit(.minutes(10)), .serialized)
    struct TortureTests {
        private struct Findings: Equatable, CustomStringConvertible {
            var lost = 0
            var ends = 0
            var repeatedOutputs = 0
            var missingOutputs = 0
            var kills = 0

            var description: String {
                "\(lost) lost, \(ends) ends, \(repeatedOutputs) outputs too many, \(missingOutputs) too few, \(kills) kills"
            }
        }

        private static let outputCount = 5

        private func torture(
            _ run: RandomRun,
            deadline: Duration,
            harmsServer: Bool = true,
            keepsRepeats: Bool = false,
            workerArguments: [String] = []
        ) async throws -> Findings {
            var random = SeededGenerator(seed: run.seed)
            var findings = Findings()
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                nats.dropsRepeats.withLock { $0 = !keepsRepeats }
                let motherboard = Motherboard()
                motherboard.registerRemote(Counting.id, through: nats, deadline: deadline, reuse: .perActivation)
                motherboard.registerCompletionFlow(Counting.id) { _, _ in findings.ends += 1 }
                let progress = Tally()
                let ended = Tally()
                for _ in 0..<run.count {
                    let outputs = motherboard.outputs(of: Counting.id, with: Self.outputCount)
                    Task {
                        var numbers: [Int] = []
                        do {
                            for try await number in outputs {
                                numbers.append(number)
                                progress.add()
                                // The worker waits for it, so jobs are at work when it is killed.
                                if number + 1 < Self.outputCount { outputs.activation.send(number) }
                            }
                            if outputs.activation.completion?.isDone != true { findings.lost += 1 }
                            findings.missingOutputs += Set(0..<Self.outputCount).subtracting(numbers).count
                        } catch {
                            findings.lost += 1
                        }
                        findings.repeatedOutputs += numbers.count - Set(numbers).count
                        ended.add()
                    }
                }
                var workers = try (0..<3).map { _ in try WorkerProcess(server.url, workerArguments) }
                var harm = harmsServer ? [run.count * 4, run.count * 3, run.count * 2, run.count] : []
                while progress.count + 10 < run.count * Self.outputCount, ended.count < run.count {
                    let goal = progress.count + 5 + random.below(20)
                    if await progress.reach(goal, by: .now + .seconds(2)) == .timedOut, ended.count == run.count {
                        break
                    }
                    let victim = random.below(workers.count)
                    workers[victim].kill()
                    findings.kills += 1
                    workers[victim] = try WorkerProcess(server.url, workerArguments)
                    guard let next = harm.last, progress.count > next else { continue }
                    harm.removeLast()
                    if harm.count.isMultiple(of: 2) {
                        await server.kill()
                        try await server.start()
                    } else {
                        server.pause()
                        // Ends when the request has had no answer.
                        _ = try? await nats.deadLetters()
                        server.resume()
                    }
                }
                await ended.expect(run.count)
                #expect(motherboard.liveCount(of: Counting.id) == 0)
                #expect(nats.calls.withLock { $0.isEmpty })
                for worker in workers { worker.kill() }
                motherboard.complete()
                await nats.close()
            }
            return findings
        }

        @Test(.rule("X1", "X2", "X3", "X11"))
        func `each activation ends once with all its outputs, though workers and the server are killed`() async throws {
            let run = RandomRun(count: 120, countVariable: "BACKPLANE_NATS_JOBS")
            let findings = try await torture(run, deadline: .seconds(60))
            #expect(
                findings.lost == 0 && findings.repeatedOutputs == 0 && findings.missingOutputs == 0,
                "\(findings); \(run)"
            )
            #expect(findings.ends == run.count, "\(findings); \(run)")
            #expect(findings.kills > run.count / 15, "\(findings); \(run)")
            print("NATS torture: \(findings); \(run)")
        }

        @Test(.rule("X3")) func `without the number of each output, a repeated attempt would be seen`() async throws {
            let run = RandomRun(count: 60, countVariable: "BACKPLANE_NATS_ABLATION_JOBS")
            let findings = try await torture(run, deadline: .seconds(60), harmsServer: false, keepsRepeats: true)
            #expect(findings.repeatedOutputs > 0, "\(findings); \(run)")
        }

        @Test(.rule("X3")) func `acknowledged before the work, jobs of killed workers would be lost`() async throws {
            let run = RandomRun(count: 60, countVariable: "BACKPLANE_NATS_ABLATION_JOBS")
            let findings = try await torture(
                run,
                deadline: .seconds(4),
                harmsServer: false,
                workerArguments: ["--acknowledge-first"]
            )
            #expect(findings.lost > 0, "\(findings); \(run)")
            #expect(findings.ends == run.count, "\(findings); \(run)")
        }
    }

    /// The contract of the worker process.
    private enum Counting: BoardContract {
        typealias Input = Int
        typealias Output = Int
        typealias Command = Int
        // A private type has another name.
        static var id: BoardID<Self> { BoardID("counting") }
    }

    /// The program `nats-worker`, which stands next to the test bundle.
    private struct WorkerProcess {
        private let process = Process()

        init(_ url: String, _ arguments: [String]) throws {
            process.executableURL = TestProcess.buildFolder.appending(path: "nats-worker")
            process.arguments = [url] + arguments
            try process.run()
        }

        func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
    }
#endif
