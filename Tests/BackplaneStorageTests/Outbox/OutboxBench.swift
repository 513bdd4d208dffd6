import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport

extension OutboxKind {
    static let notes = OutboxKind("notes", keyWindow: .seconds(3600))
    static let uploads = OutboxKind("uploads", network: .unmetered)
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
        clock: ManualClock = ManualClock()
    ) throws -> AuthenticatedNetworkController {
        var options = NetworkOptions()
        options.encoder = encoder
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
        case .waitsForLogIn: "waits for log-in"
        case .cannotShow: "cannot show"
        case .fileFailed(let error): "file failed: \(error.code)"
        }
    }
}
