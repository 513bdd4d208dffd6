import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import CPageLimit
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The process that the driver kills: an app with an outbox.
///
/// It writes what happens to its standard output, one line for each event, and does what the driver
/// writes to its standard input.
actor Client {
    /// The exit status of a process that cannot use its file.
    static let cannotOpen: Int32 = 3

    let orders: ClientOrders
    let outbox: Outbox
    let inbox: OutboxInbox
    /// The operations of this process and of earlier ones that others can name.
    var known: [TortureOperation]
    /// The state of each operation when the user decided about it.
    var decided: [IdempotencyKey: String] = [:]
    private let journal: Journal
    private let service: NonAuthenticatedNetworkController
    private let clockOffset: Locked<Double>
    private let isOffline = Locked(false)
    private let commands: AsyncStream<ClientCommand>
    private let commander: AsyncStream<ClientCommand>.Continuation
    private(set) var users: [String: User] = [:]
    private var current: String

    /// Runs the process until the driver ends it, or until its work is done.
    static func run(_ orders: ClientOrders) async {
        // The signal ends a process that is stuck, so the driver only ever waits for events.
        alarm(orders.lifetime)
        do {
            if orders.limitsPages, !page_limit_install() { say("unlimited") }
            let client = try Client(orders)
            client.listen()
            try await client.work()
        } catch let error as StorageError {
            // A full disk or a locked file; the driver knows whether it has caused one.
            say("cannotOpen \(error.code)")
            exit(cannotOpen)
        } catch {
            say("failed \(error)")
            exit(4)
        }
    }

    private init(_ orders: ClientOrders) throws {
        let offset = Locked(Double(orders.clockOffset))
        self.orders = orders
        clockOffset = offset
        current = orders.account
        known = orders.earlier
        journal = try Journal(orders.journal)
        inbox = OutboxInbox(directory: URL(filePath: orders.inbox))
        outbox = try Outbox(
            file: URL(filePath: orders.file),
            kinds: Set(OutboxKind.all(keyWindow: orders.keyWindow)),
            timeOfDay: { Date(timeIntervalSinceNow: offset.withLock { $0 }) },
            // Short waits between attempts, so that a run has many of them.
            jitter: { $0 * 0.01 }
        )
        let sockets = SocketTransport(port: orders.port)
        var transport: any NetworkTransport = sockets
        if let ablation = orders.ablation {
            transport = try Sabotage(ablation, orders: orders, over: sockets)
        }
        guard let server = URL(string: "http://127.0.0.1:\(orders.port)") else { throw URLError(.badURL) }
        service = try NonAuthenticatedNetworkController(
            baseURL: server,
            transport: SwitchedTransport(isOffline: isOffline, transport: transport)
        )
        (commands, commander) = AsyncStream.makeStream(of: ClientCommand.self)
    }

    /// Reads commands on a thread of their own; at their end, the driver is gone.
    private nonisolated func listen() {
        let commander = commander
        Thread.detachNewThread {
            while let line = readLine() {
                guard let command = try? JSONDecoder().decode(ClientCommand.self, from: Data(line.utf8)) else {
                    continue
                }
                commander.yield(command)
            }
            exit(0)
        }
    }

    private func work() async throws {
        let user = try await user(current)
        user.outbox.start()
        await importLetters()
        if orders.drains {
            say("ending \(try String(decoding: JSONEncoder().encode(await drain(user)), as: UTF8.self))")
            exit(0)
        }
        try await enqueue(orders.numbers, as: current)
        for await command in commands {
            switch command {
            case .setClock(let seconds): clockOffset.withLock { $0 = Double(seconds) }
            case .setOffline(let value): isOffline.withLock { $0 = value }
            case .enqueue(let numbers): try await enqueue(numbers, as: current)
            case .drain(let milliseconds):
                let left = try await users[current]?.outbox.drain(within: .milliseconds(milliseconds))
                say("drained \(left?.isDrained == true)")
            case .signIn(let account):
                if account == current, !orders.isPlain { try await self.user(account).outbox.start() }
            case .decide(let account):
                if account == current, let user = users[account] { try await decide(user) }
            case .switchTo(let account, let numbers):
                await users[current]?.outbox.stop()
                say("stopped \(current)")
                current = account
                try await self.user(account).outbox.start()
                try await enqueue(numbers, as: account)
            }
        }
    }

    func note(_ entry: JournalEntry) throws { try journal.note(entry) }

    /// Tells the server that an operation is discarded, so that its history has it.
    func tellDiscarded(_ number: Int) async throws { try await service.request(.discarded(number)) }

    private func enqueue(_ numbers: Range<Int>, as account: String) async throws {
        let user = try await user(account)
        for number in numbers { try await save(number, for: user) }
        say("done \(account)")
        let mine = user.outbox
        Task {
            try await mine.waitUntilDrained()
            say("idle")
        }
    }

    // MARK: Users

    /// Returns a user who is signed in.
    private func user(_ account: String) async throws -> User {
        if let user = users[account] {
            if !user.controller.isSignedIn {
                try await user.controller.signIn(with: service.request(.signIn(as: account)))
            }
            return user
        }
        let controller = AuthenticatedNetworkController(
            over: service,
            tokens: try await service.request(.signIn(as: account))
        ) {
            .refresh($0)
        }
        let commander = commander
        let mine = outbox.account(account, through: controller) { event in
            switch event {
            case .waitsForSignIn:
                say("waits")
                commander.yield(.signIn(account: account))
            case .parked(let operation):
                say("parked \(operation.state)")
                commander.yield(.decide(account: account))
            case .fileFailed(let error): say("fileFailed \(error.code)")
            case .cannotShow(let operation): say("mismatch cannot show \(operation.label ?? "")")
            }
        }
        let user = User(controller: controller, outbox: mine, keyWindow: orders.keyWindow, orders.ablation)
        answerQuestions(of: mine, controller)
        users[account] = user
        commander.yield(.decide(account: account))
        return user
    }

    /// Lets the outbox ask about unknown outcomes and conflicts.
    private func answerQuestions(of mine: AccountOutbox, _ controller: AuthenticatedNetworkController) {
        guard orders.reviews else { return }
        for kind in OutboxKind.all(keyWindow: orders.keyWindow) {
            mine.review(kind) { operation in
                guard let number = TortureOperation(label: operation.label)?.number else { return nil }
                let finding = try await controller.request(.finding(about: number))
                return finding.isExecuted
            }
        }
        mine.resolveConflicts(of: .of(.edit, keyWindow: orders.keyWindow)) {
            [weak mine] (conflict: RecordConflict<TortureChange>) in
            let operation = conflict.change.operation
            guard let mine, operation.decision(after: conflict.operation.status) == .edit else { return }
            let next = operation.edited
            try await self.note(.resolving(operation.number))
            let endpoint: AuthenticatedIdempotentEndpoint<TortureRecord> = .perform(next)
            try await mine.edit(
                conflict.operation.id,
                to: endpoint,
                change: TortureChange(operation: next),
                entityTag: conflict.theirs?.tag,
                label: next.label
            )
        }
    }
}

/// Tells the driver an event: one write, so that the lines of several tasks do not mix.
func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}
