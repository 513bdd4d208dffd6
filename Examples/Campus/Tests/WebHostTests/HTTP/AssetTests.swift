import AsyncHTTPClient
import NIOHTTP1
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AssetTests {
    @Test(arguments: ["/_host/app.js", "/_host/style.css", "/_host/icon.svg"])
    func `if a browser has a file, the file is not sent again`(path: String) async throws {
        try await TestHost.run { host in
            let browser = Browser(host.port)
            let file = try await browser.get(path)
            let tag = try #require(file.header("etag"))
            #expect(try tag.wholeMatch(of: Regex(#""[0-9a-f]{32}""#)) != nil)
            #expect(file.header("cache-control") == "no-cache")
            for (known, status) in [
                (tag, 304), ("W/\(tag)", 304), (#""other", \#(tag)"#, 304), ("*", 304), (#""other""#, 200), ("", 200),
            ] {
                var request = browser.request(path)
                request.headers.add(name: "if-none-match", value: known)
                let reply = try await browser.send(request)
                #expect(reply.status == status, "\(known)")
                #expect(reply.body.isEmpty == (status == 304))
                #expect(reply.header("etag") == tag)
            }
        }
    }
}
