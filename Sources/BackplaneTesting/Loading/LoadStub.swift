/// A source of values that answers when the test says so.
///
/// ```swift
/// let courses = LoadStub<Course.ID, Course>()
/// let loader = Loader(courses.load)
/// loader.load("abc123")
/// await courses.requests(atLeast: 1)
/// courses.succeed(with: Course(title: "Swift"))
/// await loader.settled()
/// ```
///
/// Give ``load(_:)`` to whatever takes a closure that loads. Used on one actor, the one that the loading is done on.
public final class LoadStub<ID: Equatable, Value> {
    private final class Request {
        let id: ID
        let gate = AsyncLatch()
        var result: Result<Value, any Error>?

        init(_ id: ID) {
            self.id = id
        }
    }

    /// The IDs that were asked for, in order.
    public private(set) var ids: [ID] = []
    /// The IDs of the requests that were cancelled before they were answered, in the order in which that was noticed.
    public private(set) var cancelled: [ID] = []
    private var inFlight: [Request] = []
    private let asked = Tally()
    private let givenUp = Tally()

    /// A source that nobody has asked yet.
    public init() {}

    /// The IDs that were asked for and have no answer yet, in order.
    public var pending: [ID] { inFlight.map(\.id) }

    /// Asks for the value of an ID, and waits for the test to answer.
    ///
    /// - Throws: what the test has it fail with, or `CancellationError` as soon as the task is cancelled.
    public func load(_ id: ID) async throws -> Value {
        let request = Request(id)
        ids.append(id)
        inFlight.append(request)
        asked.add()
        try? await request.gate.waitUnlessCancelled()
        inFlight.removeAll { $0 === request }
        guard let result = request.result else {
            cancelled.append(id)
            givenUp.add()
            throw CancellationError()
        }
        return try result.get()
    }

    /// Answers the oldest request without an answer; if there is none, the test fails.
    public func succeed(
        with value: Value,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        answer(.success(value), nil, TestSite(fileID, filePath, line, column))
    }

    /// Answers the oldest request of an ID without an answer; if there is none, the test fails.
    public func succeed(
        _ id: ID,
        with value: Value,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        answer(.success(value), id, TestSite(fileID, filePath, line, column))
    }

    /// Has the oldest request without an answer fail; if there is none, the test fails.
    public func fail(
        with error: any Error,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        answer(.failure(error), nil, TestSite(fileID, filePath, line, column))
    }

    /// Has the oldest request of an ID without an answer fail; if there is none, the test fails.
    public func fail(
        _ id: ID,
        with error: any Error,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        answer(.failure(error), id, TestSite(fileID, filePath, line, column))
    }

    private func answer(_ result: Result<Value, any Error>, _ id: ID?, _ site: TestSite) {
        guard let position = inFlight.firstIndex(where: { id == nil || $0.id == id }) else {
            let what = id.map { " for \(ValueText($0).text)" } ?? ""
            return site.fail("There is no request\(what) to answer; wait for one with `requests(atLeast:)`.")
        }
        let request = inFlight.remove(at: position)
        request.result = result
        request.gate.open()
    }

    /// Waits until it has been asked this often in all; fails the test when the time is up or the task is cancelled.
    public func requests(
        atLeast count: Int,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        await asked.reach(count, of: "requests", within: timeout, orFailAt: site)
    }

    /// Waits until this many requests have been cancelled in all; fails the test when the time is up or the task is cancelled.
    public func cancellations(
        atLeast count: Int,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        await givenUp.reach(count, of: "cancellations", within: timeout, orFailAt: site)
    }
}
