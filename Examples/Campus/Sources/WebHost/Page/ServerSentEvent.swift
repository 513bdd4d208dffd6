import Foundation
import NIOCore

/// A message of an event stream (HTML Living Standard, 9.2), with a name, a JSON object, and the
/// page's version after it.
struct ServerSentEvent: Sendable {
    /// Another screen or other sections of an area; without `html`, only another title or path.
    struct Screen: Encodable {
        let area: String
        let number: String
        let title: String
        let documentTitle: String
        let path: String
        let html: String?
    }

    /// The new HTML inside a section.
    struct Section: Encodable {
        let id: String
        let html: String
    }

    /// A message that tells the page to reload, because its window has ended.
    static let reload = ServerSentEvent(name: "reload", data: "{}", id: nil)

    /// A message that tells the page to reconnect, because the response contains a new cookie.
    static let reconnect = ServerSentEvent(name: "reconnect", data: "{}", id: nil)

    /// The first line of the stream: the delay before a reconnection, in milliseconds.
    static let opening = ByteBuffer(string: "retry: 1000\n\n")

    let name: String
    /// The JSON object on one line; JSON escapes line ends.
    let data: String
    /// The version that a client has after this event.
    ///
    /// Only the last event of an update has it. A client that received only a part of the update
    /// therefore asks for the whole update again.
    var id: Int?

    var buffer: ByteBuffer {
        ByteBuffer(string: "event: \(name)\n\(id.map { "id: \($0)\n" } ?? "")data: \(data)\n\n")
    }
}

extension ServerSentEvent {
    init(screen: Screen) throws { self = try .init(name: "screen", encoding: screen) }

    init(section: Section) throws { self = try .init(name: "section", encoding: section) }

    private init(name: String, encoding payload: some Encodable) throws {
        self.init(name: name, data: String(decoding: try JSONEncoder().encode(payload), as: UTF8.self))
    }
}
