import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// One message of an event stream.
struct ServerEvent: Equatable {
    var name = ""
    var id: String?
    var data = ""

    /// Returns a member of the message's JSON object.
    func value(_ key: String) throws -> String? {
        try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])[key] as? String
    }
}

/// A page's open event stream.
final class EventConnection {
    let contentType: String?
    private let events: AsyncStream<ServerEvent>
    private let reading: Task<Bool, Never>

    init(_ response: HTTPClientResponse) {
        contentType = response.headers.first(name: "content-type")
        let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
        self.events = events
        reading = Self.read(response.body, into: continuation)
    }

    /// Reads until the stream ends or the task is cancelled.
    private static func read(
        _ body: HTTPClientResponse.Body,
        into events: AsyncStream<ServerEvent>.Continuation
    ) -> Task<Bool, Never> {
        Task {
            defer { events.finish() }
            do {
                try await parse(body, into: events)
                return true
            } catch {
                return false
            }
        }
    }

    @concurrent
    private static func parse(
        _ body: HTTPClientResponse.Body,
        into events: AsyncStream<ServerEvent>.Continuation
    ) async throws {
        var text = ""
        for try await chunk in body {
            text += String(buffer: chunk)
            var blocks = text.components(separatedBy: "\n\n")
            text = blocks.removeLast()
            for event in blocks.compactMap(parse) { events.yield(event) }
        }
    }

    /// Returns the next message, or `nil` if the server has ended the stream.
    func next() async -> ServerEvent? {
        for await event in events { return event }
        return nil
    }

    /// Returns the next message about the main area, and skips the bar, the sheet and the dialog.
    func nextOfMain() async throws -> ServerEvent? {
        while let event = await next() {
            let (area, id) = (try event.value("area"), try event.value("id"))
            if area != "sheet", id != "bar", id != "dialog" { return event }
        }
        return nil
    }

    /// Closes the connection as a closed tab does.
    func close() async {
        reading.cancel()
        _ = await reading.value
    }

    /// Whether the server ends the stream without an error.
    var endsProperly: Bool {
        get async { await reading.value }
    }

    private static func parse(_ text: String) -> ServerEvent? {
        var event = ServerEvent()
        for line in text.split(separator: "\n") {
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
        }
        return event.name.isEmpty ? nil : event
    }
}
