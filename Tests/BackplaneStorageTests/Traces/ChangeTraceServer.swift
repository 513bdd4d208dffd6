import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes

/// A change of a list of words, with a number of its own.
struct WordChange: RecordChange {
    let number: Int
    let word: String
    let isRemoval: Bool

    struct NoSuchWord: Error {}

    var intent: Intent<[String]> {
        .edit { words in
            guard isRemoval else { return words.append(word) }
            guard let index = words.firstIndex(of: word) else { throw NoSuchWord() }
            words.remove(at: index)
        }
    }

    var label: String { "\(number)\(isRemoval ? "-" : "+")\(word)" }

    func endpoint(of list: String) -> AuthenticatedIdempotentEndpoint<Void> {
        AuthenticatedIdempotentEndpoint<Void>(.put("lists/\(list)", body: .json(self)))
    }
}

/// The server of one queue in a trace: it holds every request and load until the trace ends it.
final class ChangeTraceServer: NetworkTransport {
    /// The end of a request.
    enum Reply: Sendable {
        case success
        /// A refusal, or a status that says nothing; the change is not carried out.
        case status(Int)
        /// The connection is lost before or after the change is carried out.
        case lost(isCarriedOut: Bool)
    }

    struct Call: Sendable {
        let list: String
        let change: WordChange
        let key: String
        let latch = AsyncLatch()
        let response = Locked<Result<HTTPResponse, any Error>>(.failure(URLError(.networkConnectionLost)))
    }

    private struct Load: Sendable {
        let list: String
        let atStart: [String]
        let latch = AsyncLatch()
        let isFresh = Locked(true)
    }

    private struct State: Sendable {
        var words = ["a": ["base"], "b": ["base"]]
        var done: Set<String> = []
        /// The keys of attempts that were lost, so that their outcomes are unknown.
        var unknown: Set<String> = []
        var calls: [Int: Call] = [:]
        var loads: [Int: Load] = [:]
        var received: [String: [String]] = [:]
        var last = 0
    }

    private let state = Locked(State())

    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
        let call = Call(
            list: String((request.path ?? "").suffix(1)),
            change: try JSONDecoder().decode(WordChange.self, from: body ?? Data()),
            key: request.headerFields[.idempotencyKey] ?? ""
        )
        let number = state.withLock { state in
            state.last += 1
            state.calls[state.last] = call
            state.received[call.list, default: []].append(call.change.label)
            return state.last
        }
        defer { state.withLock { state in state.calls[number] = nil } }
        try await call.latch.waitUnlessCancelled()
        let response = try call.response.withLock { $0 }.get()
        let reason = response.status.kind == .successful ? "" : #"{"detail": "No \#(response.status.code)."}"#
        return (response, Data(reason.utf8))
    }

    func load(_ list: String) async throws -> [String] {
        let (number, load) = state.withLock { state in
            state.last += 1
            let load = Load(list: list, atStart: state.words[list] ?? [])
            state.loads[state.last] = load
            return (state.last, load)
        }
        defer { state.withLock { state in state.loads[number] = nil } }
        try await load.latch.waitUnlessCancelled()
        return load.isFresh.withLock { $0 } ? state.withLock { $0.words[list] ?? [] } : load.atStart
    }

    /// The lists with a request under way, and its change.
    var open: [String: [String]] {
        state.withLock { state in
            Dictionary(grouping: state.calls.values, by: \.list).mapValues { $0.map(\.change.label).sorted() }
        }
    }

    /// The lists with loads under way.
    var loading: [String: Int] {
        state.withLock { state in Dictionary(grouping: state.loads.values, by: \.list).mapValues(\.count) }
    }

    var received: [String: [String]] { state.withLock { $0.received } }

    var words: [String: [String]] { state.withLock { $0.words } }

    /// Whether the server remembers the key of the request of a list, and so must confirm it.
    func hasCarriedOut(_ list: String) -> Bool {
        state.withLock { state in state.calls.values.contains { $0.list == list && state.done.contains($0.key) } }
    }

    func reply(to list: String, _ reply: Reply) {
        guard let call = state.withLock({ state in state.calls.values.first { $0.list == list } }) else { return }
        let isCarriedOut =
            switch reply {
            case .success, .lost(isCarriedOut: true): true
            case .status, .lost: false
            }
        if isCarriedOut {
            state.withLock { state in
                guard state.done.insert(call.key).inserted else { return }
                var content = RecordContent.present(state.words[call.list] ?? [])
                try? call.change.intent.apply(to: &content)
                state.words[call.list] = content.value
            }
        }
        switch reply {
        case .success: call.response.withLock { $0 = .success(HTTPResponse(status: .noContent)) }
        case .status(let code):
            let fields: HTTPFields = [.contentType: "application/json"]
            call.response.withLock { $0 = .success(HTTPResponse(status: .init(code: code), headerFields: fields)) }
        case .lost: break
        }
        // It is no longer open, also before its task has run.
        state.withLock { state in
            for (number, other) in state.calls where other.latch === call.latch { state.calls[number] = nil }
        }
        call.latch.open()
    }

    /// Ends the load of a list with its words of now, or of the time when the load began.
    func endLoad(of list: String, isFresh: Bool) {
        let load = state.withLock { state in
            let number = state.loads.first { $0.value.list == list }?.key
            return number.flatMap { state.loads.removeValue(forKey: $0) }
        }
        load?.isFresh.withLock { $0 = isFresh }
        load?.latch.open()
    }
}
