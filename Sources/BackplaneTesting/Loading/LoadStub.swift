/// A source of values for tests: the test completes each request.
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
/// Pass ``load(_:)`` to code that takes a loading closure. Use the stub on one actor: the actor
/// that loads.
public final class LoadStub<ID: Equatable, Value> {
    private final class Request {
        let id: ID
        let latch = AsyncLatch()
        /// Counted at once; the waiting task notices its cancellation later.
        let cancellations = Tally()
        var result: Result<Value, any Error>?

        init(_ id: ID) {
            self.id = id
        }
    }

    /// The IDs of all requests, in order.
    public private(set) var ids: [ID] = []
    /// The IDs of the requests that were cancelled while pending, in the order of detection.
    package private(set) var cancelled: [ID] = []
    private var unanswered: [Request] = []
    private let asked = Tally()
    private let givenUp = Tally()

    /// Creates a source that has no requests yet.
    public init() {}

    /// The IDs of the pending requests, in order.
    package var pending: [ID] { inFlight.map(\.id) }

    private var inFlight: [Request] { unanswered.filter { $0.cancellations.count == 0 } }

    /// Requests the value of an ID, and waits until the test calls `succeed` or `fail`.
    ///
    /// - Throws: the error that the test passes to `fail`, or `CancellationError` as soon as the
    ///   task is cancelled.
    public func load(_ id: ID) async throws -> Value {
        let request = Request(id)
        ids.append(id)
        unanswered.append(request)
        asked.add()
        try? await withTaskCancellationHandler {
            try await request.latch.waitUnlessCancelled()
        } onCancel: { [cancellations = request.cancellations] in
            cancellations.add()
        }
        unanswered.removeAll { $0 === request }
        guard let result = request.result else {
            cancelled.append(id)
            givenUp.add()
            throw CancellationError()
        }
        return try result.get()
    }

    /// Completes the oldest pending request, or the oldest one for an ID, with a value.
    ///
    /// The test fails if no such request is pending.
    public func succeed(
        _ id: ID? = nil,
        with value: Value,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        respond(.success(value), id, TestSite(fileID, filePath, line, column))
    }

    /// Fails the oldest pending request, or the oldest one for an ID, with an error.
    ///
    /// The test fails if no such request is pending.
    public func fail(
        _ id: ID? = nil,
        with error: any Error,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        respond(.failure(error), id, TestSite(fileID, filePath, line, column))
    }

    private func respond(_ result: Result<Value, any Error>, _ id: ID?, _ site: TestSite) {
        guard let request = inFlight.first(where: { id == nil || $0.id == id }) else {
            let what = id.map { " for \(ValueText($0).text)" } ?? ""
            return site.fail("There is no request\(what) to answer; wait for one with `requests(atLeast:)`.")
        }
        unanswered.removeAll { $0 === request }
        request.result = result
        request.latch.open()
    }

    /// Waits until the total number of requests reaches `count`.
    ///
    /// The test fails on timeout, or if the task is cancelled.
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

    /// Waits until the total number of cancelled requests reaches `count`.
    ///
    /// The test fails on timeout, or if the task is cancelled.
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
