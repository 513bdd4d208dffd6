import BackplaneConcurrency
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
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

    private struct User: Sendable {
        let controller: AuthenticatedNetworkController
        let outbox: AccountOutbox
    }

    private let orders: ClientOrders
    private let journal: Journal
    private let outbox: Outbox
    private let kinds: [OutboxKind]
    private let service: NonAuthenticatedNetworkController
    private let clockOffset: Locked<Double>
    private let commands: AsyncStream<ClientCommand>
    private let commander: AsyncStream<ClientCommand>.Continuation
    private var users: [String: User] = [:]
    private var current: String

    /// Runs the process until the driver ends it, or until its work is done.
    static func run(_ orders: ClientOrders) async {
        // The signal ends a process that is stuck, so the driver only ever waits for events.
        alarm(orders.lifetime)
        do {
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
        let kinds = TortureOperation.kinds(keyWindow: .seconds(orders.keyWindow))
        self.orders = orders
        self.kinds = kinds
        clockOffset = offset
        current = orders.account
        journal = try Journal(orders.journal)
        outbox = try Outbox(
            file: URL(filePath: orders.file),
            kinds: Set(kinds),
            timeOfDay: { Date(timeIntervalSinceNow: offset.withLock { $0 }) },
            // Short waits between attempts, so that a run has many of them.
            jitter: { $0 * 0.01 }
        )
        let sockets = SocketTransport(port: orders.port)
        var transport: any NetworkTransport = sockets
        if orders.deletesBeforeSending { transport = try DeletingTransport(file: orders.file, over: sockets) }
        guard let server = URL(string: "http://127.0.0.1:\(orders.port)") else { throw URLError(.badURL) }
        service = try NonAuthenticatedNetworkController(baseURL: server, transport: transport)
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
        try await enqueue(orders.numbers, as: current)
        if orders.drains {
            try await drain(try await user(current).outbox)
            exit(0)
        }
        for await command in commands {
            switch command {
            case .setClock(let seconds): clockOffset.withLock { $0 = Double(seconds) }
            case .logIn(let account):
                if account == current { try await user(account).outbox.start() }
            case .switchTo(let account, let numbers):
                await users[current]?.outbox.stop()
                say("stopped \(current)")
                current = account
                try await enqueue(numbers, as: account)
            }
        }
    }

    // MARK: Users

    /// Returns a user who is signed in.
    private func user(_ account: String) async throws -> User {
        if let user = users[account] {
            if !user.controller.isSignedIn {
                try await user.controller.signIn(with: service.request(.logIn(as: account)))
            }
            return user
        }
        let controller = AuthenticatedNetworkController(
            over: service,
            tokens: try await service.request(.logIn(as: account))
        ) {
            .refresh($0)
        }
        let commander = commander
        let mine = outbox.account(account, through: controller) { event in
            switch event {
            case .waitsForLogIn(let operation):
                say("waits \(operation.label ?? "")")
                commander.yield(.logIn(account: account))
            case .parked(let operation): say("parked \(operation.label ?? "") \(operation.state)")
            case .fileFailed(let error): say("fileFailed \(error.code)")
            case .cannotShow: break
            }
        }
        for kind in kinds where orders.reviews {
            mine.review(kind) { operation in
                let finding = try await controller.request(.finding(about: operation.label ?? ""))
                return finding.isExecuted ? .carriedOut : .notCarriedOut
            }
        }
        let user = User(controller: controller, outbox: mine)
        users[account] = user
        return user
    }

    // MARK: Operations

    private func enqueue(_ numbers: Range<Int>, as account: String) async throws {
        let mine = try await user(account).outbox
        mine.start()
        for number in numbers {
            let operation = TortureOperation(number: number, account: account)
            say("saving \(number)")
            do {
                let saved = try await mine.enqueue(
                    .perform(operation),
                    of: kinds[operation.kind],
                    entity: operation.entity,
                    label: "\(number)"
                )
                try journal.note("saved \(number)")
                say("saved \(number)")
                follow(saved, number)
            } catch let error as StorageError {
                try journal.note("refused \(number)")
                say("refused \(number) \(error.code)")
            }
        }
        say("done \(account)")
    }

    private func follow(_ saved: SavedOperation<Receipt>, _ number: Int) {
        Task {
            do {
                let receipt = try await saved.response()
                // There is none if another process has received it.
                let isMine = receipt == nil || receipt?.number == number
                say(isMine ? "acked \(number)" : "mismatch \(number)")
            } catch is OutboxFailure {
                // An event tells that the operation is parked.
            } catch {
                say("mismatch \(number) \(error)")
            }
        }
    }

    /// Waits until nothing is left but what the user must decide, and tells what that is.
    private func drain(_ mine: AccountOutbox) async throws {
        while true {
            try await mine.waitUntilDrained()
            let left = try await mine.operations(limit: .max)
            if !orders.reviews || left.allSatisfy({ $0.state == .dead || $0.state == .conflict }) {
                await mine.stop()
                say("left \(left.map { "\($0.label ?? "") \($0.state)" }.joined(separator: " "))")
                return
            }
            // Has the server asked again about what is not clear.
            mine.start()
            await Self.untilReviewed(mine)
        }
    }

    @MainActor
    private static func untilReviewed(_ mine: AccountOutbox) async {
        await waitUntil { mine.status.counts[.needsReview, default: 0] == 0 }
    }
}

/// Tells the driver an event: one write, so that the lines of several tasks do not mix.
func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}
