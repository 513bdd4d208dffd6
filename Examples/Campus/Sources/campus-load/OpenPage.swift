import AsyncHTTPClient
import Foundation
import NIOCore

/// One open page: it listens to the changes of its window and posts events, as `app.js` does.
actor OpenPage {
    /// The reason why a connection ended.
    private enum Ending {
        /// The window has ended.
        case reload
        /// The response to the next request has a new cookie.
        case reconnect
        case lost
    }

    nonisolated let visitor: Visitor
    private let page: Page
    private let changes: AsyncStream<PageChange>
    private let reading: Task<Void, Never>
    private var screen: String
    private var eventCount = 0

    /// Loads a page, and listens to its window.
    static func open(_ path: String = "/", by visitor: Visitor) async throws -> OpenPage {
        OpenPage(try await visitor.page(at: path), of: visitor)
    }

    private init(_ page: Page, of visitor: Visitor) {
        let (changes, continuation) = AsyncStream<PageChange>.makeStream()
        // The page itself is the first change.
        continuation.yield(PageChange(area: "main", number: page.screen, html: page.html))
        self.visitor = visitor
        self.page = page
        self.changes = changes
        screen = page.screen ?? ""
        reading = Self.read(page, of: visitor, into: continuation)
    }

    /// Posts an event of the main screen.
    func send(_ event: String, _ fields: [String: String] = [:]) async throws {
        eventCount += 1
        let own = [
            "_event": event, "_csrf": page.csrf, "_screen": screen, "_id": "load.\(eventCount)", "_page": page.key,
        ]
        try await visitor.post(fields.merging(own) { $1 }, to: page.endpoint)
    }

    /// Closes the page: the window ends after its grace period.
    func close() async throws {
        reading.cancel()
        await reading.value
        try await send("_leave")
    }

    // MARK: Changes

    /// Waits for a change, and drops the changes before it.
    ///
    /// - Parameters:
    ///   - description: the change that is awaited, for the error.
    ///   - limit: the longest time to wait.
    ///   - condition: returns whether a change is the awaited one.
    /// - Returns: the time at which the change arrived.
    /// - Throws: ``Failure`` if the window ends before the change, or if the time is over.
    @discardableResult
    func wait(
        for description: String,
        within limit: Duration = .seconds(60),
        until condition: @escaping @Sendable (PageChange) -> Bool
    ) async throws -> ContinuousClock.Instant {
        try await withThrowingTaskGroup(of: ContinuousClock.Instant.self) { group in
            group.addTask { try await self.next(description, condition) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw Failure("A page did not show \(description) within \(limit).")
            }
            defer { group.cancelAll() }
            guard let time = try await group.next() else { throw CancellationError() }
            return time
        }
    }

    private func next(
        _ description: String,
        _ condition: @Sendable (PageChange) -> Bool
    ) async throws -> ContinuousClock.Instant {
        for await change in changes {
            if change.area == "main", let number = change.number { screen = number }
            if condition(change) { return change.time }
        }
        throw Failure("The server ended a window that had not shown \(description) yet.")
    }

    private static func read(
        _ page: Page,
        of visitor: Visitor,
        into changes: AsyncStream<PageChange>.Continuation
    ) -> Task<Void, Never> {
        Task { await connect(page, of: visitor, into: changes) }
    }

    /// Connects again and again until the window ends or the task is cancelled.
    @concurrent
    private static func connect(
        _ page: Page,
        of visitor: Visitor,
        into changes: AsyncStream<PageChange>.Continuation
    ) async {
        defer { changes.finish() }
        var version = page.version
        while !Task.isCancelled {
            let ending: Ending
            do {
                let response = try await visitor.get("\(page.endpoint)?version=\(version)&page=\(page.key)")
                ending = try await receive(response.body, into: changes, version: &version)
            } catch {
                ending = .lost
            }
            switch ending {
            case .reload: return
            case .reconnect: break
            // The server tells browsers to wait this long before they connect again.
            case .lost: try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Receives changes until the connection ends.
    @concurrent
    private static func receive(
        _ body: HTTPClientResponse.Body,
        into changes: AsyncStream<PageChange>.Continuation,
        version: inout String
    ) async throws -> Ending {
        var parser = EventStreamParser()
        for try await chunk in body {
            let time = ContinuousClock.now
            for message in parser.append(chunk.readableBytesView) {
                if message.name == "reload" { return .reload }
                if message.name == "reconnect" { return .reconnect }
                var change = try JSONDecoder().decode(PageChange.self, from: Data(message.data.utf8))
                change.time = time
                changes.yield(change)
                version = message.id ?? version
            }
        }
        return .lost
    }
}
