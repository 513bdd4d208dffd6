import BackplaneFeatures
public import BackplaneNetworking
public import BackplaneTesting
import Foundation
import HTTPTypes

extension ChangeSenderContract {
    /// One run of a clause: its server, its clock, and the feature that makes changes.
    @MainActor
    public final class Trial {
        /// The controller of a signed-in user, in front of the server of this trial.
        public let controller: AuthenticatedNetworkController
        /// The clock for the waits between two attempts.
        public let clock = ManualClock()

        private let makeSender: @MainActor (Trial) async throws -> ChangeSender<String, [String]>
        private let server = NetworkStub()
        /// The list on the server.
        private let words = Watched(["base"])
        /// The keys that the server has carried out.
        private let done = Watched<Set<String>>([])
        private let replies = Watched<[String: [StubbedResponse]]>([:])
        private let latches = Watched<[String: AsyncLatch]>([:])
        private var store: RecordStore<String, [String]>?
        private var loader: Loader<String, [String]>?
        /// The condition that the check waits for.
        private(set) var step: String?

        init(_ makeSender: @escaping @MainActor (Trial) async throws -> ChangeSender<String, [String]>) throws {
            self.makeSender = makeSender
            var options = NetworkOptions()
            // A clock that stands still, so that no request ends by time.
            options.clock = ManualClock()
            let service = try NonAuthenticatedNetworkController(
                baseURL: server.baseURL,
                transport: server,
                options: options
            )
            let tokens = NetworkTokens(
                access: AccessToken(rawValue: "access"),
                refresh: RefreshToken(rawValue: "refresh")
            )
            controller = AuthenticatedNetworkController(over: service, tokens: tokens) { _ in
                NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh"))
            }
            serve()
        }

        private func serve() {
            let (words, done, replies, latches) = (words, done, replies, latches)
            server.respond(to: .put, "lists/*") { request in
                let change = try request.json(Change.self)
                let scripted = replies.update { replies in
                    replies[change.text]?.isEmpty == false ? replies[change.text]?.removeFirst() : nil
                }
                if let scripted { return scripted }
                // The server carries out a known key only once.
                if done.update({ $0.insert(request.idempotencyKey ?? "").inserted }) {
                    words.update { words in
                        var content = RecordContent.present(words)
                        try? change.intent.apply(to: &content)
                        words = content.value ?? words
                    }
                }
                await latches.value[change.text]?.wait()
                return .status(.noContent)
            }
        }

        // MARK: The server

        /// Has the server give these replies to a change, before it confirms it.
        func answer(_ change: Change, with next: StubbedResponse...) {
            replies.update { $0[change.text] = next }
        }

        /// Has the server carry out a change, and respond when the latch is open.
        func hold(_ change: Change) -> AsyncLatch {
            let latch = AsyncLatch()
            latches.update { $0[change.text] = latch }
            return latch
        }

        /// The changes that the server has received, in order.
        var received: [String] {
            server.requests.compactMap { try? $0.json(Change.self).text }
        }

        /// The number of different keys that the server has received.
        var keys: Int { Set(server.requests.map(\.idempotencyKey)).count }

        /// Waits until the server has received so many changes.
        func requests(_ count: Int) async {
            step = "the server had \(count) requests; it had \(received)"
            await server.requests(atLeast: count)
        }

        // MARK: The feature

        /// Begins as a process does: with a new sender and a new store, which loads the list.
        func begin() async throws {
            (loader, store) = (nil, nil)
            let store = RecordStore<String, [String]>(clock: clock, sending: try await makeSender(self))
            let words = words
            let loader = Loader(store: store) { (_: String) in words.value }
            (self.store, self.loader) = (store, loader)
            loader.load("list")
            step = "the list was loaded"
            await loader.settled()
        }

        func reload() async {
            loader?.reload()
            await loader?.settled()
        }

        func signOut() { store?.reset() }

        /// The words that the user sees.
        var shown: [String]? { loader?.value }

        var pending: [PendingMutation] { loader?.pending ?? [] }

        /// The pending changes with their progress.
        var progress: [String] { pending.map { "\($0.label ?? ""): \($0.status)" } }

        /// Makes a change, and returns its ID.
        @discardableResult
        func make(_ change: Change, after others: Set<IdempotencyKey> = []) throws -> IdempotencyKey {
            guard let loader else { throw ContractViolation(description: "The list was not loaded.") }
            let known = Set(loader.pending.map(\.id))
            try loader.enqueue(change, label: change.text, after: others)
            guard let id = loader.pending.map(\.id).first(where: { !known.contains($0) }) else {
                throw ContractViolation(description: "The change \(change.text) is not in `pending` in the same turn.")
            }
            return id
        }

        /// Makes a change, and waits for its outcome.
        func perform(_ change: Change) async throws {
            try await loader?.mutate(change, label: change.text)
        }

        func dismiss(_ id: IdempotencyKey) { loader?.dismiss(id) }

        /// Waits until what the user sees meets a condition.
        func wait(until step: String, _ condition: () -> Bool) async {
            self.step = step
            // The check has a limit of its own, and then says which step it waited for.
            await waitUntil(within: .seconds(3600)) {
                if condition() { return true }
                self.step =
                    "\(step); it showed \(shown ?? []) with \(progress), and the server had received \(received)"
                return false
            }
        }

        /// Waits until the pending changes have this progress.
        func wait(for expected: [String]) async {
            await wait(until: "the pending changes were \(expected)") { progress == expected }
        }

        /// Lets time pass until the pending changes have this progress.
        ///
        /// A sender may also sleep during an attempt, so no single advance ends the wait for the
        /// next attempt.
        func pass(until expected: [String]) async {
            let time = Task {
                while !Task.isCancelled {
                    await clock.sleepers(atLeast: 1)
                    _ = clock.advanceToNextSleeper()
                    await Task.yield()
                }
            }
            defer { time.cancel() }
            await wait(for: expected)
        }

        func end() {
            for latch in latches.value.values { latch.open() }
            (loader, store) = (nil, nil)
        }
    }
}

extension StubbedResponse {
    /// A refusal with a reason in the server's words.
    static func refusal(_ status: HTTPResponse.Status = .unprocessableContent) -> Self {
        .json(#"{"detail": "No."}"#, status: status)
    }
}
