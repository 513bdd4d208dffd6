import Hummingbird
import Logging
import NIOCore

/// Serves HTML pages by path on a free port, and runs `body` with the root of their URLs.
func withPages<Value: Sendable>(
    _ pages: [String: String],
    cookie: String? = "visited=yes; HttpOnly; SameSite=Lax",
    _ body: (String) async throws -> Value
) async throws -> Value {
    var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    headers[.setCookie] = cookie
    let router = Router()
    for (path, page) in pages {
        router.get(RouterPath(path)) { [headers] _, _ in
            Response(
                status: .ok,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(string: "<link rel=icon href=data:,>\(page)"))
            )
        }
    }
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
        router: router,
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "pages") { _ in SwiftLogNoOpLogHandler() }
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { continuation.finish() }
            try await application.run()
        }
        defer { group.cancelAll() }
        for await port in ports { return try await body("http://127.0.0.1:\(port)") }
        try await group.waitForAll()
        throw CancellationError()
    }
}
