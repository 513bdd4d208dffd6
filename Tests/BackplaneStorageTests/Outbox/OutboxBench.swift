import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension OutboxKind {
    static let notes = OutboxKind("notes", keyWindow: .seconds(3600))
    static let uploads = OutboxKind("uploads", allowsMetered: false)
}

extension AuthenticatedIdempotentEndpoint<Void> {
    /// Writes a text into a note of the server.
    static func write(_ text: String, to note: String) -> Self {
        Self(.put("notes/\(note)", body: .json(["text": text])))
    }
}

/// The error of a transport without a network.
struct Offline: Error {}

/// An outbox in a file of its own, in front of a server that a test scripts.
@MainActor
final class OutboxBench {
    let directory = TemporaryDirectory()
    let server = NetworkStub()
    /// The clock for waits; the time of day moves with it.
    let clock = ManualClock()
    /// The events of all accounts, in short.
    let events = Watched<[String]>([])
    /// How far somebody has set the time of day forward.
    var shift: Duration = .zero

    init() {
        server.respond(to: .put, "notes/*", with: .status(.noContent))
        // No session can be refreshed.
        server.respond(to: .post, "refresh", with: .status(.badRequest))
    }

    /// Has the server respond to writes with these responses in turn, then always with the last.
    func answer(_ responses: StubbedResponse..., to note: String = "*", after latch: AsyncLatch? = nil) {
        let left = Watched(responses)
        server.respond(to: .put, "notes/\(note)", after: latch) { _ in
            left.update { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    /// Lets time pass for those who wait.
    func pass(_ time: Duration) async {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: time)
    }

    /// A new process with two users.
    func twoUsers() throws -> (outbox: Outbox, ada: AccountOutbox, bob: AccountOutbox) {
        let outbox = try open()
        return (outbox, try account("ada", of: outbox), try account("bob", of: outbox))
    }

    /// The outbox of a new process that has begun to send an operation, and the operation.
    func sending(_ text: String, to note: String) async throws -> (AccountOutbox, SavedOperation<Void>) {
        let mine = try account(of: open())
        let operation = try await mine.write(text, to: note)
        mine.start()
        return (mine, operation)
    }

    /// The outbox of a new process, and the page of a note in it.
    func page(tag: String? = nil) async throws -> (AccountOutbox, NotePage) {
        let mine = try account(of: open())
        let page = NotePage(sending: .durable(mine))
        await page.show("base", tag: tag)
        return (mine, page)
    }

    var file: URL { directory.file("outbox.sqlite") }

    /// Opens the outbox as a new process does.
    func open(
        _ file: URL? = nil,
        kinds: Set<OutboxKind> = [.notes, .uploads],
        limits: Outbox.Limits = Outbox.Limits()
    ) throws -> Outbox {
        let (clock, shift) = (clock, shift)
        return try Outbox(
            file: file ?? self.file,
            kinds: kinds,
            limits: limits,
            clock: clock,
            timeOfDay: { Date(timeIntervalSince1970: 1_000_000 + (shift + clock.now.offset) / .seconds(1)) },
            jitter: { $0 }
        )
    }

    /// The operations of a user in an outbox.
    func account(
        _ name: String = "ada",
        of outbox: Outbox,
        through controller: AuthenticatedNetworkController? = nil
    ) throws -> AccountOutbox {
        let events = events
        return outbox.account(name, through: try controller ?? self.controller(of: name)) { event in
            events.update { $0.append(Self.text(of: event)) }
        }
    }

    /// A signed-in user, whose access token is the name.
    func controller(
        of name: String = "ada",
        encoder: JSONEncoder = NetworkOptions().encoder,
        expiresIn lifetime: Duration? = nil,
        clock: ManualClock = ManualClock(),
        middlewares: [any NetworkMiddleware] = []
    ) throws -> AuthenticatedNetworkController {
        var options = NetworkOptions()
        options.encoder = encoder
        options.middlewares = middlewares
        // A clock that stands still, so that no request ends by time.
        options.clock = clock
        let service = try NonAuthenticatedNetworkController(
            baseURL: server.baseURL,
            transport: server,
            options: options
        )
        return AuthenticatedNetworkController(over: service, tokens: tokens(of: name, expiresIn: lifetime)) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh", body: .json(["token": token.rawValue])))
        }
    }

    func tokens(of name: String, expiresIn lifetime: Duration? = nil) -> NetworkTokens {
        NetworkTokens(
            access: AccessToken(rawValue: name),
            refresh: RefreshToken(rawValue: "refresh-\(name)"),
            expiresIn: lifetime
        )
    }

    /// The texts that the server has received, in order, each with the note it was written to.
    var received: [String] {
        writes.map { request in
            let text = (try? request.json([String: String].self))?["text"] ?? ""
            return "\(request.path.split(separator: "/").last ?? ""): \(text)"
        }
    }

    /// The keys that the server has received, in order.
    var keys: [String] { writes.map { $0.headerFields[.idempotencyKey] ?? "none" } }

    /// The access tokens that the server has received, in order.
    var bearers: [String] { writes.map { $0.bearer ?? "none" } }

    /// The conditions that the server has received, in order.
    var conditions: [String] { writes.map { $0.headerFields[.ifMatch] ?? "none" } }

    private var writes: [StubbedRequest] { server.requests.filter { $0.method == .put } }

    /// Waits for an event of any account.
    func event(_ text: String) async {
        await events.wait { $0.contains(text) }
    }

    nonisolated private static func text(of event: OutboxEvent) -> String {
        switch event {
        case .parked(let operation): "parked: \(operation.state)"
        case .waitsForSignIn: "waits for sign-in"
        case .cannotShow: "cannot show"
        case .fileFailed(let error): "file failed: \(error.code)"
        }
    }
}

extension AccountOutbox {
    /// Saves an operation that writes into a note; by default each note is an entity.
    @discardableResult
    func write(
        _ text: String,
        to note: String,
        in entity: String? = nil,
        of kind: OutboxKind = .notes,
        after dependency: IdempotencyKey? = nil,
        label: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> SavedOperation<Void> {
        let entity = entity ?? note
        let write = AuthenticatedIdempotentEndpoint<Void>.write(text, to: note)
        return try await enqueue(write, of: kind, entity: entity, after: dependency, label: label, key: key)
    }

    /// Waits until so many attempts of the oldest operation have ended, and it waits for another.
    @discardableResult
    func attempted(_ number: Int) async throws -> OutboxOperation {
        await waitUntil { operations.first?.attempts == number && operations.first?.state == .queued }
        return try #require(operations.first)
    }
}

/// Returns the code of the error of an outbox that `body` throws.
func code<Value>(_ body: () async throws -> Value) async -> StorageError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
