import Testing

@testable import Backplane

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ChannelTests {
    let channel = Channel<Int>()

    private func next() async throws -> Int? {
        try await channel.next(isolation: MainActor.shared)
    }

    /// Starts a reader, and returns its task when the reader is about to wait.
    private func reader() async -> Task<Int?, any Error> {
        let (starts, tell) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            tell.yield()
            return try await next()
        }
        for await _ in starts { break }
        return reading
    }

    @Test func `values arrive in order before the end`() async throws {
        for value in 1...20 { channel.send(value) }
        channel.finish()
        for value in 1...20 { #expect(try await next() == value) }
        #expect(try await next() == nil)
        #expect(try await next() == nil)
    }

    @Test func `an error arrives once, after the values`() async throws {
        channel.send(1)
        channel.finish(throwing: Oops())
        #expect(try await next() == 1)
        await #expect(throws: Oops.self) { try await next() }
        #expect(try await next() == nil)
    }

    @Test func `a finished channel ignores further values and a second end`() async throws {
        channel.finish()
        channel.send(1)
        channel.finish(throwing: Oops())
        #expect(try await next() == nil)
    }

    @Test func `a waiting reader is resumed by a value or by an error`() async throws {
        var reading = await reader()
        channel.send(1)
        #expect(try await reading.value == 1)
        reading = await reader()
        channel.finish(throwing: Oops())
        await #expect(throws: Oops.self) { try await reading.value }
    }

    @Test func `a waiting reader is resumed by the end`() async throws {
        let reading = await reader()
        channel.finish()
        #expect(try await reading.value == nil)
    }

    @Test func `a reader cancelled while waiting gets nil, and no value is lost`() async throws {
        let reading = await reader()
        reading.cancel()
        #expect(try await reading.value == nil)
        channel.send(1)
        #expect(try await next() == 1)
    }

    @Test func `a cancelled reader still gets an available value`() async throws {
        let reading = await reader()
        channel.send(1)
        reading.cancel()
        #expect(try await reading.value == 1)
    }
}
