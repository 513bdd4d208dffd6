import CampusTestSupport
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import ServerLimits

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Attacks that use up all file descriptors.
@Suite(.timeLimit(.minutes(5)))
struct AcceptPauseHandlerTests {
    private func isAccepting(_ channel: EmbeddedChannel) -> Bool? {
        channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `a server without room for a connection pauses for a second`(code: Int32) throws {
        let channel = EmbeddedChannel(handler: AcceptPauseHandler(logger: silentLogger))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
        #expect(isAccepting(channel) == false)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(isAccepting(channel) == false)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(isAccepting(channel) == true)
        // It has handled the error, so nothing is thrown.
        _ = try channel.finish()
    }

    @Test func `another error is passed on and does not stop the server`() {
        let channel = EmbeddedChannel(handler: AcceptPauseHandler(logger: silentLogger))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
        #expect(isAccepting(channel) == nil)
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    }

    /// Fails as a server's channel does; a channel of this kind belongs to one thread.
    private func useUpDescriptors(logger: Logger) {
        let channel = EmbeddedChannel(handler: AcceptPauseHandler(logger: logger))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
    }

    @Test func `the log says that no connection can be accepted`() async {
        let log = LogCapture()
        useUpDescriptors(logger: log.logger)
        let lines = await log.finish()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("error No connection can be accepted") == true)
    }

    @Test func `the server of an application with limits has the handler`() async {
        let (findings, finding) = AsyncStream<Bool>.makeStream()
        let application = ServerLimits().application(
            responder: CallbackResponder<BasicRequestContext> { _, _ in Response(status: .ok) },
            host: "127.0.0.1",
            port: 0,
            logger: silentLogger
        ) { channel in
            let search = channel.eventLoop.submit {
                (try? channel.pipeline.syncOperations.handler(type: AcceptPauseHandler.self)) != nil
            }
            finding.yield((try? await search.get()) ?? false)
        }
        let server = Task {
            defer { finding.finish() }
            try await application.run()
        }
        let isFound = await findings.first(where: { _ in true })
        #expect(isFound == true)
        server.cancel()
        _ = await server.result
    }
}
