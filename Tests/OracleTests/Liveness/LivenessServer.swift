import BackplaneConcurrency
import BackplaneFeatures
import BackplaneTesting

/// An item of the server.
///
/// It names the response that brought it, so that a trace knows when a visible value was written.
struct Message: Identifiable, Codable, Equatable, Sendable {
    var id: String
    var text: String
    var marks: [Int] = []
    var revision = 0
    var response = 0
}

/// The failure of one request, which says nothing about its effect.
struct Failure: Error { let request: Int }

/// The refusal of one request.
struct FinalFailure: DefiniteRejection { let request: Int }

/// A server that answers a request only when the trace says so, and in the way that it says.
///
/// It knows which requests run, and nothing about loaders, lists and stores.
final class LivenessServer: Sendable {
    enum Kind: Equatable, Sendable {
        case message(String)
        case page(Int?)
        case change(Int)
    }

    /// The way in which a request is answered.
    enum Answer: CaseIterable, Sendable {
        case honest
        /// With the messages as they were when the request arrived; a change without a value.
        case late
        case fails, refuses
        /// A change is carried out, and its response is lost.
        case lost
        case overlap, repeatedCursor, emptyPage, twice, otherIDs
        /// Two insertions get one ID.
        case sameID
    }

    /// The behavior of the server toward new requests.
    enum Mode: CaseIterable, Sendable { case waits, isHonest, isEmpty, repeatsCursors }

    struct Request: Sendable {
        let number: Int
        let kind: Kind
        /// The store or the list that sent the request, or `nil` for loads that stores share.
        let source: Int?
        /// The messages when the request arrived.
        let arrival: [Message]
        var isOpen = true
        var isCancelled = false
        /// The failure of the request, and whether it is final.
        var failure: Bool?
        /// The number of requests that had ended when this one arrived.
        let begin: Int
        /// The number of requests that had ended when this one was answered.
        var end = 0
        var time = Duration.zero
        /// Whether the user acted before the app could notice the answer.
        var isDoubtful = false
        /// The messages in the answer.
        var ids: [String] = []

        var isRunning: Bool { isOpen && !isCancelled }
        var hasSucceeded: Bool { !isOpen && !isCancelled && !isDoubtful && failure == nil }
    }

    struct State: Sendable {
        var messages: [Message]
        let replacesIDs: Bool
        var revision = 0
        var mode = Mode.waits
        var requests: [Request] = []
        var ended = 0
        /// The number of requests at which a turn has sent too many.
        var limit = 0
        var waiting: [Int: CheckedContinuation<Reply, any Error>] = [:]
        var changes: [Int: LivenessChange] = [:]
        /// The IDs from the server, by the IDs that the app has made.
        var serverIDs: [String: String] = [:]
        var record = LivenessRecord()

        func canonical(_ id: String) -> String { serverIDs[id] ?? id }
        func isSame(_ id: String, _ other: String) -> Bool { canonical(id) == canonical(other) }
    }

    struct Reply: Sendable {
        var messages: [Message] = []
        var next: Int?
    }

    let state: Locked<State>
    let clock: ManualClock

    init(clock: ManualClock, replacesIDs: Bool, count: Int) {
        self.clock = clock
        let messages = ["a", "b", "c", "d", "e", "f", "g"].prefix(count).map { Message(id: $0, text: $0) }
        state = Locked(State(messages: messages, replacesIDs: replacesIDs))
    }

    var requests: [Request] { state.withLock { $0.requests } }

    func note(_ line: @autoclosure () -> String) {
        if state.withLock({ $0.record.keepsLog }) {
            let line = line()
            state.withLock { $0.record.note(line) }
        }
    }

    func blame(_ rule: String, _ fault: String, _ detail: String) {
        state.withLock { $0.record.blame(rule, fault, detail) }
    }

    // MARK: Requests of the app

    func load(_ id: String, for source: Int?) async throws -> Message {
        try await reply(to: .message(id), from: source).messages[0]
    }

    func loadPage(at cursor: Int?, for list: Int) async throws -> Page<Int, Message> {
        let reply = try await reply(to: .page(cursor), from: list)
        return Page(reply.messages, next: reply.next)
    }

    func send(_ number: Int) async throws -> Message? {
        state.withLock { $0.checkSend(of: number) }
        return try await reply(to: .change(number), from: state.withLock { $0.changes[number]?.store }).messages.first
    }

    private func reply(to kind: Kind, from source: Int?) async throws -> Reply {
        let (number, mode) = state.withLock { state in
            let number = state.requests.count + 1
            state.requests.append(
                Request(number: number, kind: kind, source: source, arrival: state.messages, begin: state.ended)
            )
            state.record.note("  request \(number): \(kind) from \(source.map(String.init) ?? "all stores")")
            if number == state.limit {
                state.record.blame("A26", "one action sends requests without end", "request \(number)")
                state.mode = .waits
            }
            return (number, state.mode)
        }
        if mode != .waits {
            await SeededExecution.pause()
            return try state.withLock { try $0.close(number, .honest, mode, at: clock.now.offset) }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOpen = state.withLock { state in
                    if state.requests[number - 1].isOpen { state.waiting[number] = continuation }
                    return state.requests[number - 1].isOpen
                }
                if !isOpen { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Cancels a request; each third request does not notice it.
    private func cancel(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Reply, any Error>? in
            guard state.requests[number - 1].isOpen else { return nil }
            state.requests[number - 1].isCancelled = true
            if number.isMultiple(of: 3) { return nil }
            state.requests[number - 1].isOpen = false
            return state.waiting.removeValue(forKey: number)
        }
        continuation?.resume(throwing: CancellationError())
    }

    // MARK: Orders of the trace

    /// Begins to count the requests of a turn, and returns how many there were before.
    func beginTurn() -> Int {
        state.withLock { state in
            state.limit = state.requests.count + 60
            return state.requests.count
        }
    }

    /// Notes that more has happened in the turn in which these requests were answered.
    func doubt(_ numbers: [Int]) {
        state.withLock { state in
            for number in numbers { state.requests[number - 1].isDoubtful = true }
        }
    }

    /// Ends all requests.
    func close() {
        let waiting = state.withLock { state in
            state.mode = .isHonest
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(throwing: CancellationError()) }
    }

    /// Answers an open request.
    func answer(_ number: Int, _ answer: Answer) {
        let (continuation, result) = state.withLock { state in
            state.record.note("  request \(number) gets the answer: \(answer)")
            return (
                state.waiting.removeValue(forKey: number),
                Result { try state.close(number, answer, .waits, at: clock.now.offset) }
            )
        }
        continuation?.resume(with: result)
    }

    /// Changes the messages as another client does.
    func interfere(_ choice: Int) {
        state.withLock { state in
            state.revision += 1
            let revision = state.revision
            let index = choice / 4 % max(state.messages.count, 1)
            if choice % 4 == 0 || state.messages.isEmpty {
                state.messages.insert(Message(id: "x\(revision)", text: "x", revision: revision), at: 0)
            } else if choice % 4 == 1 {
                state.messages.remove(at: index)
            } else {
                state.messages[index].text = "other \(revision)"
                state.messages[index].revision = revision
            }
        }
    }
}

extension LivenessServer.State {
    /// Checks that a change may be sent now.
    fileprivate mutating func checkSend(of number: Int) {
        guard let change = changes[number] else { return }
        let related = changes.values.filter {
            $0.store == change.store && $0.message == change.message && $0.number != number
        }
        if change.dependencies.contains(where: { changes[$0]?.hasFailed == true }) {
            record.blame("A23", "a change is sent that needs a refused one", "change \(number)")
        }
        if related.contains(where: { $0.kind == .insert && $0.hasFailed && !change.isOfRefusedItem }) {
            record.blame("A4", "a change of an item is sent whose creation was refused", "change \(number)")
        }
        if related.contains(where: { other in requests.contains { $0.kind == .change(other.number) && $0.isOpen } }) {
            record.blame("A3", "two changes of a message are under way", "change \(number)")
        }
    }

    /// Ends a request, and returns or throws its outcome.
    mutating func close(
        _ number: Int,
        _ answer: LivenessServer.Answer,
        _ mode: LivenessServer.Mode,
        at time: Duration
    ) throws -> LivenessServer.Reply {
        ended += 1
        requests[number - 1].isOpen = false
        requests[number - 1].end = ended
        requests[number - 1].time = time
        do {
            var reply = try reply(to: requests[number - 1], answer, mode)
            for index in reply.messages.indices { reply.messages[index].response = number }
            requests[number - 1].ids = reply.messages.map(\.id)
            return reply
        } catch {
            requests[number - 1].failure = error is FinalFailure
            throw error
        }
    }

    private mutating func reply(
        to request: LivenessServer.Request,
        _ answer: LivenessServer.Answer,
        _ mode: LivenessServer.Mode
    ) throws -> LivenessServer.Reply {
        if case .change(let change) = request.kind {
            let message = try carryOut(change, answer, request.number)
            return LivenessServer.Reply(messages: message.map { [$0] } ?? [])
        }
        if answer == .refuses { throw FinalFailure(request: request.number) }
        if answer == .fails || answer == .lost { throw Failure(request: request.number) }
        let source = answer == .late ? request.arrival : messages
        guard case .message(let id) = request.kind else { return page(of: source, request, answer, mode) }
        guard let message = source.first(where: { $0.id == id }) else { throw FinalFailure(request: request.number) }
        return LivenessServer.Reply(messages: [message])
    }

    private func page(
        of messages: [Message],
        _ request: LivenessServer.Request,
        _ answer: LivenessServer.Answer,
        _ mode: LivenessServer.Mode
    ) -> LivenessServer.Reply {
        guard case .page(let place) = request.kind else { return LivenessServer.Reply() }
        let cursor = place ?? 0
        let start = answer == .overlap ? max(0, cursor - 2) : cursor
        var items = Array(messages.dropFirst(start).prefix(3))
        let next = start + 3 < messages.count ? start + 3 : nil
        if answer == .emptyPage || mode == .isEmpty { return LivenessServer.Reply(next: cursor + 1) }
        if answer == .repeatedCursor || mode == .repeatsCursors {
            return LivenessServer.Reply(messages: items, next: cursor)
        }
        if answer == .twice { items += items }
        if answer == .otherIDs { for index in items.indices { items[index].id += "~" } }
        return LivenessServer.Reply(messages: items, next: next)
    }

    /// Carries out a change once, however often it is sent (D9).
    private mutating func carryOut(_ number: Int, _ answer: LivenessServer.Answer, _ request: Int) throws -> Message? {
        if answer == .fails { throw Failure(request: request) }
        if changes[number]?.isDecided == false { decide(number, answer) }
        if answer == .lost { throw Failure(request: request) }
        changes[number]?.isAnswered = true
        guard let change = changes[number], !change.isRefused else { throw FinalFailure(request: request) }
        // A response to an insertion has the item, because the server may replace its ID.
        return answer == .late && change.kind != .insert ? nil : change.response
    }

    private mutating func decide(_ number: Int, _ answer: LivenessServer.Answer) {
        guard var change = changes[number] else { return }
        let index = messages.firstIndex { isSame($0.id, change.message) }
        if answer == .refuses || change.kind != .insert && index == nil {
            change.isRefused = true
        } else {
            revision += 1
            change.isCarriedOut = true
            if change.kind == .insert {
                change.response = insert(change, answer)
            } else if let index {
                change.kind.apply(number, to: &messages[index])
                messages[index].revision = revision
                change.response = change.kind == .delete ? nil : messages[index]
                if change.kind == .delete { messages.remove(at: index) }
            }
        }
        changes[number] = change
    }

    private mutating func insert(_ change: LivenessChange, _ answer: LivenessServer.Answer) -> Message {
        if answer == .sameID, replacesIDs, let twin = messages.first(where: { $0.id.hasPrefix("s") }) {
            serverIDs[change.message] = twin.id
            return twin
        }
        let id = replacesIDs ? "s\(change.number)" : change.message
        serverIDs[change.message] = id
        let message = Message(id: id, text: "new", revision: revision)
        messages.insert(message, at: 0)
        return message
    }
}
