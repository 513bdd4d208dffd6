import Foundation
import Testing

@testable import campus_load

@Suite struct StreamTests {
    private let stream =
        "retry: 1000\n\n: a comment\nevent: section\nid: 7\ndata: {\"id\": \"ü\"}\n\nevent: reload\ndata: {}\n\n"
    private let messages = [
        StreamMessage(name: "section", id: "7", data: "{\"id\": \"ü\"}"), StreamMessage(name: "reload", data: "{}"),
    ]

    @Test func `messages have a name, an ID and data, and other blocks are not messages`() {
        var parser = EventStreamParser()
        let found = parser.append(stream.utf8)
        #expect(found == messages)
    }

    @Test func `the messages are the same for every division of the stream`() {
        var parser = EventStreamParser()
        let found = stream.utf8.flatMap { parser.append([$0]) }
        #expect(found == messages)
    }

    @Test func `lines of data are joined, and one space before a value is removed`() {
        var parser = EventStreamParser()
        let found = parser.append("data:  a:b\ndata:c\n\ndata: half".utf8)
        #expect(found == [StreamMessage(data: " a:b\nc")])
    }

    @Test func `a page has the values that its script needs`() throws {
        let html = #"<body data-window="w" data-csrf="c" data-version="12" data-path="/"><main data-screen="3">"#
        let page = try Page(html: html)
        #expect(page.endpoint == "/_host/windows/w/events")
        #expect([page.csrf, page.version, page.screen] == ["c", "12", "3"])
        #expect(throws: Failure.self) { try Page(html: "<body>") }
    }

    @Test func `a change of a section names no area of the page`() throws {
        let change = try JSONDecoder().decode(PageChange.self, from: Data(#"{"id": "user", "html": "Hi Ada"}"#.utf8))
        #expect(change.area == nil)
        #expect(change.shows("Ada"))
        #expect(!change.shows("Grace"))
    }
}
