import Foundation
import TestSupport
import Testing

@testable import BackplaneConformance

struct RequestReaderTests {
    private func read(_ text: String) -> ScriptedServer.Request? {
        var parts = [Data(text.utf8)]
        var reader = RequestReader(read: { parts.popLast() }, write: { _ in true })
        return reader.next()
    }

    @Test(
        .rule("N16"),
        arguments: [
            "Content-Length: -5\r\n\r\n12345", "Content-Length: 99999999999999999999\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n-5\r\n12345\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n12345\r\n0\r\n\r\n",
        ]
    )
    func `an invalid size yields no request or an empty body`(rest: String) {
        #expect(read("POST / HTTP/1.1\r\n\(rest)")?.body.isEmpty != false)
    }

    @Test func `the body joins all chunks`() {
        let request = read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n2\r\n67\r\n0\r\n\r\n")
        #expect(request.map { String(decoding: $0.body, as: UTF8.self) } == "1234567")
    }
}
