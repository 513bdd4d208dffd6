import Foundation
import NIOCore

/// A message of an event stream (HTML Living Standard, 9.2): a name, a JSON object, and the page's version after it.
struct ServerSentEvent: Sendable {
    /// Another screen, other sections, or (without `html`) another title or path.
    struct Screen: Encodable {
        let number: String
        let title: String
        let documentTitle: String
        let path: String
        let html: String?
    }

    /// The new inside of a section.
    struct Section: Encodable {
        let id: String
        let html: String
    }

    /// The page is to be loaded anew: its window has ended.
    static let reload = ServerSentEvent(name: "reload", data: "{}", id: nil)

    /// The page is to connect once more: the answer brings a new cookie.
    static let reconnect = ServerSentEvent(name: "reconnect", data: "{}", id: nil)

    /// Before the first event: how long to wait before a lost connection is tried again, in milliseconds.
    static let opening = ByteBuffer(string: "retry: 1000\n\n")

    let name: String
    /// One line: JSON escapes line ends.
    let data: String
    /// The version a client has once it has this event; only the last event of an update names it, so that a client that
    /// saw half of one asks for the whole again.
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
