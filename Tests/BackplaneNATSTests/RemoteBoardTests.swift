#if NATS && (os(macOS) || os(Linux))
    import Backplane
    import BackplaneConcurrency
    import BackplaneTesting
    import Foundation
    import Testing
    import TestSupport

    @testable import BackplaneNATS

    @MainActor @Suite(.timeLimit(.minutes(1)), .serialized)
    struct RemoteBoardTests {
        private let log = WorkerLog()

        /// Runs a test with a motherboard of remote boards and a worker in the same process.
        private func withBoards(
            deadline: Duration = .seconds(30),
            worker isPresent: Bool = true,
            attempts: Int = 5,
            _ body: (Motherboard, NATSConnection, NATSServer) async throws -> Void
        ) async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let workers = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Echo.id, through: nats, deadline: deadline)
                motherboard.registerRemote(Transcript.id, through: nats, deadline: deadline)
                motherboard.registerRemote(Endless.id, through: nats, deadline: deadline)
                if isPresent {
                    try await withWorker(.serving(through: workers, log: log, attempts: attempts)) {
                        try await body(motherboard, nats, server)
                    }
                } else {
                    try await body(motherboard, nats, server)
                }
                motherboard.complete()
                await workers.close()
                await nats.close()
            }
        }

        @Test(.rule("X1", "X2")) func `a remote board answers as any other does`() async throws {
            try await withBoards { motherboard, _, _ in
                #expect(try await motherboard.result(of: Echo.id, with: "hello") == "hello")
                #expect(try await motherboard.result(of: Endless.id) == 1)
                let texts = (0..<20).map { "text \($0)" }
                let answers = texts.map { text in Task { try await motherboard.result(of: Echo.id, with: text) } }
                for (text, answer) in zip(texts, answers) {
                    let received = try await answer.value
                    #expect(received == text)
                }
            }
        }

        @Test(.rule("X1")) func `outputs reach flows in order, commands the worker, and the end its flow`() async throws
        {
            try await withBoards { motherboard, _, _ in
                var outputs: [Transcript.Output] = []
                let isComplete = AsyncLatch()
                motherboard.registerFlow(from: Transcript.id) { output, motherboard in
                    outputs.append(output)
                    if output == .page(99) { motherboard.send(.finish("all"), to: Transcript.id) }
                }
                motherboard.registerCompletionFlow(Transcript.id) { completion, _ in
                    #expect(completion.isDone)
                    isComplete.open()
                }
                motherboard.activate(Transcript.id, with: 100)
                await isComplete.wait()
                #expect(outputs == (0..<100).map { .page($0) } + [.document("all")])
            }
        }

        @Test(.rule("X1")) func `a gate is asked before a remote board`() async throws {
            try await withBoards { motherboard, _, _ in
                motherboard.registerTask(Gatekeeper.id) { _, _ in false }
                motherboard.gate(Echo.id, by: Gatekeeper.id) { $0 ? .open : .closed }
                let error = await #expect(throws: BoardError.self) {
                    try await motherboard.result(of: Echo.id, with: "")
                }
                #expect(error?.code == .denied)
                #expect(log.begun.count == 0)
            }
        }

        @Test(.rule("X1")) func `a board that fails on its worker fails here, without its payload`() async throws {
            try await withBoards { motherboard, _, _ in
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                motherboard.send(.fail, to: Transcript.id)
                let error = await #expect(throws: NATSError.self) { for try await _ in outputs {} }
                #expect(error?.code == .failed)
                #expect(error?.message == "'transcript v1' failed on its worker with an error of type Refused.")
            }
        }

        @Test(.rule("X1", "X5")) func `a newer activation supersedes the job, and completing ends it`() async throws {
            try await withBoards { motherboard, _, _ in
                let first = motherboard.activate(Transcript.id, with: 0)
                await log.begun.expect(1)
                let second = motherboard.activate(Transcript.id, with: 0)
                await log.begun.expect(2)
                await log.ended.expect(1)
                #expect(first.state == .superseded && second.state == .active)
                second.complete()
                await log.ended.expect(2)
            }
        }

        @Test(.rule("X5")) func `a job that is cancelled in its queue is never begun`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Transcript.id, through: nats, reuse: .perActivation)
                let cancelled = (0..<10).map { _ in motherboard.activate(Transcript.id, with: 1) }
                while nats.calls.withLock({ $0.values.count { $0.position != nil } }) < 10 { await Task.yield() }
                for activation in cancelled { activation.complete(.cancelled) }
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                try await withWorker(.serving(through: nats, log: log, concurrency: 1)) {
                    for try await _ in outputs { break }
                }
                #expect(log.begun.count == 1)
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X5")) func `a job whose host has gone is not begun`() async throws {
            try await withServer { server in
                let gone = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Transcript.id, through: gone)
                motherboard.activate(Transcript.id, with: 1)
                while gone.calls.withLock({ $0.values.allSatisfy { $0.position == nil } }) { await Task.yield() }
                await gone.close()
                let nats = try await NATSConnection(to: server)
                motherboard.registerRemote(Echo.id, through: nats)
                try await withWorker(.serving(through: nats, log: log, concurrency: 1)) {
                    _ = try await motherboard.result(of: Echo.id, with: "")
                }
                #expect(log.begun.count == 1)
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X3")) func `a second attempt has the same key, and its outputs arrive once`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let lost = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Transcript.id, through: nats)
                var outputs: [Transcript.Output] = []
                let ended = AsyncLatch()
                let arrived = AsyncLatch()
                motherboard.registerFlow(from: Transcript.id) { output, _ in
                    outputs.append(output)
                    if output == .page(2) { arrived.open() }
                }
                motherboard.registerCompletionFlow(Transcript.id) { _, _ in ended.open() }
                let worker = BoardWorker.serving(through: lost, log: log, concurrency: 1)
                let first = Task { await worker.run() }
                motherboard.activate(Transcript.id, with: 3)
                await arrived.wait()
                // Its connection ends without a word to the server.
                await lost.close()
                await first.value
                try await withWorker(.serving(through: nats, log: log, concurrency: 1)) {
                    await log.begun.expect(2)
                    motherboard.send(.finish("end"), to: Transcript.id)
                    await ended.wait()
                }
                #expect(outputs == [.page(0), .page(1), .page(2), .document("end")])
                let keys = log.keys.withLock { $0 }
                #expect(keys.count == 2 && Set(keys).count == 1 && keys.first != "")
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X4")) func `a job that ends no worker's attempt is a dead letter, to be replayed or discarded`()
            async throws
        {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Transcript.id, through: nats, reuse: .perActivation)
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                // Two workers begin and are lost.
                for attempt in 1...2 {
                    let lost = try await NATSConnection(to: server)
                    let worker = BoardWorker.serving(through: lost, log: log, concurrency: 1, attempts: 2)
                    let running = Task { await worker.run() }
                    await log.begun.expect(attempt)
                    await lost.close()
                    await running.value
                }
                try await withWorker(.serving(through: nats, log: log, concurrency: 1, attempts: 2)) {
                    let error = await #expect(throws: NATSError.self) { for try await _ in outputs {} }
                    #expect(error?.code == .deadLettered)
                    #expect(log.begun.count == 2)
                    let letters = try await nats.deadLetters()
                    #expect(letters.map(\.board) == ["transcript"] && letters.first?.version == 1)
                    #expect(letters.first?.reason == error?.message)
                    let letter = try #require(letters.first)
                    try await nats.replay(letter)
                    await log.begun.expect(3)
                    #expect(try await nats.deadLetters().isEmpty)
                    #expect(log.keys.withLock { Set($0).count } == 1)
                    try await nats.discard(letter)
                }
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X6")) func `a version that no worker serves is a dead letter after its deadline`() async throws {
            try await withBoards { motherboard, nats, _ in
                motherboard.registerRemote(
                    Echo.id,
                    version: 2,
                    through: nats,
                    deadline: .milliseconds(500),
                    replacing: true
                )
                let error = await #expect(throws: NATSError.self) {
                    try await motherboard.result(of: Echo.id, with: "newer")
                }
                #expect(error?.code == .unserved)
                #expect(error?.message.contains("'echo v2'") == true)
                #expect(log.begun.count == 0)
                var letters: [DeadLetter] = []
                while letters.isEmpty { letters = try await nats.deadLetters() }
                #expect(letters.first?.version == 2)
                motherboard.registerRemote(Echo.id, through: nats, replacing: true)
                #expect(try await motherboard.result(of: Echo.id, with: "older") == "older")
            }
        }

        @Test(.rule("X6", "X8")) func `an unreadable job is a dead letter and nothing else is run`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Renamed.echo, through: nats)
                motherboard.registerRemote(Gatekeeper.id, through: nats)
                let worker = BoardWorker.serving(through: nats, log: log).serving(Gatekeeper.id)
                try await withWorker(worker) {
                    let unreadable = await #expect(throws: NATSError.self) {
                        try await motherboard.result(of: Renamed.echo, with: Renamed.Input(secret: "4711"))
                    }
                    #expect(unreadable?.code == .deadLettered)
                    let unregistered = await #expect(throws: NATSError.self) {
                        try await motherboard.result(of: Gatekeeper.id)
                    }
                    #expect(unregistered?.code == .deadLettered)
                    let address = BoardAddress(name: "echo", version: 1)
                    _ = try await nats.store(Data("{\"a\":[[[".utf8), in: .jobs, address, id: "garbage")
                    var letters: [DeadLetter] = []
                    while letters.count < 3 { letters = try await nats.deadLetters() }
                    #expect(log.begun.count == 0)
                    #expect(!"\(letters.map(\.reason)) \(unreadable.debugDescription)".contains("4711"))
                    for letter in letters { try await nats.discard(letter) }
                    #expect(try await nats.deadLetters().isEmpty)
                }
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X7")) func `a full queue says that it is busy`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server, queueLimit: 2)
                let motherboard = Motherboard()
                motherboard.registerRemote(Echo.id, through: nats, reuse: .perActivation)
                motherboard.activate(Echo.id, with: "1")
                motherboard.activate(Echo.id, with: "2")
                while nats.calls.withLock({ $0.values.count { $0.position != nil } }) < 2 { await Task.yield() }
                let error = await #expect(throws: NATSError.self) {
                    try await motherboard.result(of: Echo.id, with: "3")
                }
                #expect(error?.code == .busy)
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X7")) func `a thousand outputs arrive in order, though the host takes some hundreds at once`()
            async throws
        {
            try await withBoards { motherboard, _, _ in
                let outputs = motherboard.outputs(of: Transcript.id, with: 1_000)
                var pages: [Transcript.Output] = []
                for try await page in outputs {
                    pages.append(page)
                    if pages.count == 1_000 { break }
                }
                #expect(pages == (0..<1_000).map { .page($0) })
            }
        }

        @Test(.rule("X8")) func `a payload that is too large fails with its limit, in each direction`() async throws {
            try await withBoards { motherboard, _, _ in
                let large = String(repeating: "x", count: 65 * 1024)
                let input = await #expect(throws: NATSError.self) {
                    try await motherboard.result(of: Echo.id, with: large)
                }
                #expect(input?.code == .tooLarge && input?.message.contains("65536") == true)
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                motherboard.send(.finish(large), to: Transcript.id)
                let command = await #expect(throws: NATSError.self) { for try await _ in outputs {} }
                #expect(command?.code == .tooLarge)
                let small = String(repeating: "x", count: 64_000)
                let answer = try await motherboard.result(of: Echo.id, with: small)
                #expect(answer == small)
            }
        }

        @Test(.rule("X8")) func `a forged message neither ends the process nor makes it write elsewhere`() async throws
        {
            try await withBoards { motherboard, nats, _ in
                #expect(try await motherboard.result(of: Echo.id, with: "before") == "before")
                // A job whose reports would go to JetStream itself.
                let job = Job(activation: "a", host: "$JS.API.STREAM.DELETE.test_jobs", input: Data("\"a\"".utf8))
                let address = BoardAddress(name: "echo", version: 1)
                _ = try await nats.store(encode(job), in: .jobs, address, id: "forged")
                var letters: [DeadLetter] = []
                while letters.isEmpty { letters = try await nats.deadLetters() }
                // Reports with numbers that would overflow, and with other subjects to write to.
                motherboard.activate(Transcript.id, with: 1)
                await log.begun.expect(2)
                let activation = try #require(nats.calls.withLock { $0.keys.first })
                for (first, commands, worker) in [
                    (Int.max, 0, "test.inbox.a"), (0, 0, "test.inbox.a"), (1, -1, "test.inbox.a"),
                    (1, 0, "$JS.API.INFO"),
                    (1, 0, "test.inbox.a b"), (1, 0, "test.inbox.a\r\nPUB b"),
                ] {
                    let report = Report(
                        activation: activation,
                        position: .max,
                        attempt: 1,
                        worker: worker,
                        first: first,
                        outputs: [Data(), Data()],
                        end: .done,
                        commands: commands
                    )
                    let subject = nats.inbox.subjectPrefix + "h"
                    let reply = nats.inbox.subjectPrefix + "r.0"
                    nats.send(OutgoingMessage(subject: subject, reply: reply, data: encode(report)))
                    nats.send(OutgoingMessage(subject: subject, reply: reply, data: Data("[[[".utf8)))
                }
                #expect(try await motherboard.result(of: Echo.id, with: "after") == "after")
                #expect(motherboard.isLive(Transcript.id))
            }
        }

        @Test(.rule("X11")) func `a server that has lost its disk gets its streams again`() async throws {
            try await withBoards { motherboard, nats, server in
                #expect(try await motherboard.result(of: Echo.id, with: "before") == "before")
                // Otherwise a late acknowledgment of this job would be one of the first job after
                // it, which has the same position.
                while try await nats.message(in: .jobs, from: 1) != nil {}
                await server.kill()
                try FileManager.default.removeItem(at: server.directory.file("jetstream"))
                try await server.start()
                #expect(try await motherboard.result(of: Echo.id, with: "after") == "after")
            }
        }

        @Test(.rule("X7")) func `a hundred commands that are sent at once arrive in order`() async throws {
            try await withBoards { motherboard, _, _ in
                let outputs = motherboard.outputs(of: Transcript.id, with: 0)
                let text = String(repeating: "x", count: 20_000)
                for number in 0..<100 { motherboard.send(.write("\(number)\(text)"), to: Transcript.id) }
                motherboard.send(.finish("end"), to: Transcript.id)
                var received: [Transcript.Output] = []
                for try await output in outputs { received.append(output) }
                #expect(received == (0..<100).map { .document("\($0)\(text)") } + [.document("end")])
            }
        }

        @Test(.rule("X11")) func `without a server an activation ends within its deadline`() async throws {
            try await withBoards(deadline: .milliseconds(500), worker: false) { motherboard, _, server in
                await server.kill()
                let error = await #expect(throws: NATSError.self) {
                    try await motherboard.result(of: Echo.id, with: "")
                }
                #expect(error?.code == .unreachable)
            }
        }

        @Test(.rule("X11")) func `an activation goes on when the server is back before its deadline`() async throws {
            try await withBoards { motherboard, _, server in
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                await log.begun.expect(1)
                await server.kill()
                motherboard.send(.finish("later"), to: Transcript.id)
                let waiting = Task { try await motherboard.result(of: Echo.id, with: "waited") }
                try await server.start()
                var received: [Transcript.Output] = []
                for try await output in outputs { received.append(output) }
                #expect(received == [.page(0), .document("later")])
                #expect(try await waiting.value == "waited")
            }
        }

        @Test(.rule("X11")) func `a server that is stopped ends an activation within its deadline`() async throws {
            try await withBoards(deadline: .milliseconds(800)) { motherboard, _, server in
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                await log.begun.expect(1)
                server.pause()
                let error = await #expect(throws: NATSError.self) { for try await _ in outputs {} }
                #expect(error?.code == .unreachable)
                server.resume()
            }
        }

        @Test(.rule("X2")) func `a worker that is cancelled gives back what it cannot end`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Transcript.id, through: nats)
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                try await withWorker(.serving(through: nats, log: log, concurrency: 1)) { await log.begun.expect(1) }
                try await withWorker(.serving(through: nats, log: log, concurrency: 1)) {
                    await log.begun.expect(2)
                    motherboard.send(.finish("end"), to: Transcript.id)
                    for try await _ in outputs {}
                }
                motherboard.complete()
                await nats.close()
            }
        }

        @Test(.rule("X2")) func `a worker that is cancelled lets jobs end within the grace`() async throws {
            try await withServer { server in
                let nats = try await NATSConnection(to: server)
                let motherboard = Motherboard()
                motherboard.registerRemote(Transcript.id, through: nats)
                let outputs = motherboard.outputs(of: Transcript.id, with: 1)
                let worker = BoardWorker.serving(through: nats, log: log, concurrency: 1, grace: .seconds(60))
                let running = Task { await worker.run() }
                await log.begun.expect(1)
                running.cancel()
                motherboard.send(.finish("end"), to: Transcript.id)
                for try await _ in outputs {}
                await running.value
                #expect(log.begun.count == 1)
                motherboard.complete()
                await nats.close()
            }
        }
    }

    enum Gatekeeper: BoardContract {
        typealias Output = Bool
    }

    /// A contract whose name is that of another one.
    enum Renamed: BoardContract {
        struct Input: Codable { var secret: String }
        typealias Output = String
        static var echo: BoardID<Self> { BoardID("echo") }
    }
#endif
