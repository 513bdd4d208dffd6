import BackplaneTesting

@testable import BackplaneFeatures

/// A record of a list that shows which operations changed it.
struct Line: Identifiable, Equatable {
    var id: Int
    /// The operation that created the line; negative for a line of the initial list.
    let origin: Int
    /// The operations that edited the line.
    var edits: [Int] = []
}

/// A server with a list, newest line first, that responds when the test says so.
///
/// A request with a known key gets the same response again.
@TraceActor final class ListServer {
    enum Request {
        case insert(Line)
        case edit(Int, operation: Int)
        case delete(Int)
    }

    /// A request for a change or a page that has no response yet.
    final class Call<Answer> {
        fileprivate let gate = AsyncLatch()
        fileprivate(set) var answer: Result<Answer, any Error>?
    }

    static let pageSize = 3

    private(set) var lines = (1...5).map { Line(id: $0, origin: -$0) }
    private(set) var sends: [(key: IdempotencyKey, operation: Int, request: Request, call: Call<Line?>)] = []
    private(set) var pages: [(cursor: Int?, call: Call<Page<Int, Line>>)] = []
    /// The operations whose rejection was delivered.
    private(set) var refused: Set<Int> = []
    private var answers: [IdempotencyKey: Result<Line?, any Error>] = [:]
    private var lastID = 100
    private let makesIDs: Bool

    init(makesIDs: Bool) {
        self.makesIDs = makesIDs
    }

    func send(_ key: IdempotencyKey, of operation: Int, _ request: Request) async throws -> Line? {
        let call = Call<Line?>()
        sends.append((key, operation, request, call))
        await call.gate.wait()
        guard let answer = call.answer else { throw NoAnswer() }
        return try answer.get()
    }

    func page(after cursor: Int?) async throws -> Page<Int, Line> {
        let call = Call<Page<Int, Line>>()
        pages.append((cursor, call))
        // Ignores its cancellation.
        await call.gate.wait()
        guard let answer = call.answer else { throw NoAnswer() }
        return try answer.get()
    }

    /// Performs or rejects a request.
    ///
    /// The response is delivered later.
    func handle(_ index: Int, isWelcome: Bool, returnsLine: Bool) {
        let (key, _, request, call) = sends[index]
        if answers[key] == nil {
            let line = isWelcome ? perform(request) : nil
            answers[key] = line.map { .success(returnsLine || isNamed(request) ? $0 : nil) } ?? .failure(Refused())
        }
        call.answer = answers[key]
    }

    /// Returns whether the response must contain an ID.
    private func isNamed(_ request: Request) -> Bool {
        if case .insert = request { makesIDs } else { false }
    }

    /// Delivers or loses the response to a request.
    func deliver(_ index: Int, isLost: Bool) {
        let (_, operation, _, call) = sends.remove(at: index)
        if isLost { call.answer = nil }
        if case .failure = call.answer { refused.insert(operation) }
        call.gate.open()
    }

    func read(_ index: Int) {
        let (cursor, call) = pages[index]
        let start = cursor.map { id in (lines.firstIndex { $0.id == id } ?? lines.count - 1) + 1 } ?? 0
        let page = Array(lines[start...].prefix(Self.pageSize))
        call.answer = .success(Page(page, next: start + page.count < lines.count ? page.last?.id : nil))
    }

    func deliverPage(_ index: Int) {
        pages.remove(at: index).call.gate.open()
    }

    func hasRead(_ index: Int) -> Bool { pages[index].call.answer != nil }

    /// Performs the request and returns the line after it, or the deleted line; `nil` if the
    /// request cannot be performed.
    private func perform(_ request: Request) -> Line? {
        switch request {
        case .insert(var line):
            lastID += 1
            if makesIDs { line.id = lastID }
            lines.insert(line, at: 0)
            return line
        case .edit(let id, let operation):
            guard let index = lines.firstIndex(where: { $0.id == id }) else { return nil }
            lines[index].edits.append(operation)
            return lines[index]
        case .delete(let id):
            guard let index = lines.firstIndex(where: { $0.id == id }) else { return nil }
            return lines.remove(at: index)
        }
    }
}
