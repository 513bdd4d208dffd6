import BackplaneTesting

@testable import BackplaneFeatures

/// A record of a list that can tell what has been done to it.
struct Line: Identifiable, Equatable {
    var id: Int
    /// Which operation has made it; negative: it was there before.
    let origin: Int
    /// The operations that have edited it.
    var edits: [Int] = []
}

/// A server with a list, the newest first, that answers when the test says so; a key that it has seen gets the answer it got
/// then.
@TraceActor final class ListServer {
    enum Request {
        case insert(Line)
        case edit(Int, operation: Int)
        case delete(Int)
    }

    /// A request, or a page that is asked for, that has not been answered.
    final class Call<Answer> {
        fileprivate let gate = AsyncLatch()
        fileprivate(set) var answer: Result<Answer, any Error>?
    }

    static let pageSize = 3

    private(set) var lines = (1...5).map { Line(id: $0, origin: -$0) }
    private(set) var sends: [(key: IdempotencyKey, operation: Int, request: Request, call: Call<Line?>)] = []
    private(set) var pages: [(cursor: Int?, call: Call<Page<Int, Line>>)] = []
    /// The operations whose refusal has been delivered.
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
        // Ignores that it is cancelled.
        await call.gate.wait()
        guard let answer = call.answer else { throw NoAnswer() }
        return try answer.get()
    }

    /// Carries out, or refuses, a request; the answer is still to be delivered.
    func handle(_ index: Int, isWelcome: Bool, returnsLine: Bool) {
        let (key, _, request, call) = sends[index]
        if answers[key] == nil {
            let line = isWelcome ? perform(request) : nil
            answers[key] = line.map { .success(returnsLine || isNamed(request) ? $0 : nil) } ?? .failure(Refused())
        }
        call.answer = answers[key]
    }

    /// Whether the answer has to tell an ID.
    private func isNamed(_ request: Request) -> Bool {
        if case .insert = request { makesIDs } else { false }
    }

    /// Delivers the answer to a request, or loses it.
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

    /// What there is after it, or was before it is deleted; nil if it cannot be carried out.
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
