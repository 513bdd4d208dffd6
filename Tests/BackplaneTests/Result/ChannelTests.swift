import Testing

@testable import Backplane

/// Channels: see also `OutputsTests` and `BusValuesTests`.
@MainActor
struct ChannelTests {
    @Test func `an ended channel ignores further values and a second end`() async throws {
        let channel = Channel<Int>()
        channel.finish()
        channel.send(1)
        channel.finish(throwing: Oops())
        #expect(try await channel.next(isolation: MainActor.shared) == nil)
    }
}
