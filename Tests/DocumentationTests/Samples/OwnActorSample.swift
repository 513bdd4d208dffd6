// The samples of Sources/Backplane/Backplane.docc/OnYourOwnActor.md, with tests.

import Backplane
import BackplaneTesting
import Testing

enum Feed: BoardContract {
    typealias Input = AsyncStream<String>
    typealias Output = String
}

final class FeedBoard: Board {
    let slot: Slot<Feed>

    init(slot: Slot<Feed>) {
        self.slot = slot
    }

    func activate(with messages: AsyncStream<String>) {
        task { await self.read(messages) }
    }

    nonisolated(nonsending) private func read(_ messages: AsyncStream<String>) async {
        for await message in messages { send(message) }
    }
}

actor ChatRoom {
    private lazy var motherboard = Motherboard(owner: self)
    private let onEnd: @Sendable () -> Void
    private(set) var shown: [String] = []

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func open(for visitor: Visitor, reading messages: AsyncStream<String>) {
        motherboard.pair(with: visitor)  // the motherboard ends with the visitor
        motherboard.register(Feed.id, FeedBoard.init)
        motherboard.registerFlow(from: Feed.id, weak: self) { room, message in
            room.assumeIsolated { $0.shown.append(message) }
        }
        motherboard.activate(Feed.id, with: messages)
    }

    func close() {
        motherboard.complete()
    }
}

final class Visitor: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    private let room: ChatRoom

    init(in room: ChatRoom) {
        self.room = room
    }

    func read(_ messages: AsyncStream<String>) async {
        await room.open(for: self, reading: messages)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct OwnActorSample {
    @Test(.timeLimit(.minutes(1))) func `a room is released after its visitor`() async throws {
        let (messages, _) = AsyncStream.makeStream(of: String.self)
        let released = AsyncLatch()
        var visitor: Visitor? = Visitor(in: ChatRoom { released.open() })
        await visitor?.read(messages)
        visitor = nil
        try await released.waitUnlessCancelled()
    }

    @Test func `a closed room stops reading`() async throws {
        let (messages, sender) = AsyncStream.makeStream(of: String.self)
        let ended = AsyncLatch()
        sender.onTermination = { _ in ended.open() }
        let room = ChatRoom {}
        let visitor = Visitor(in: room)
        await visitor.read(messages)
        await room.close()
        try await ended.waitUnlessCancelled()
        visitor.lifetime.end()
    }

    @Test func `boards on a custom actor send on that actor`() async {
        let (messages, sender) = AsyncStream.makeStream(of: String.self)
        let room = ChatRoom {}
        let visitor = Visitor(in: room)
        await visitor.read(messages)
        sender.yield("hello")
        sender.yield("world")
        while await room.shown.count < 2 { await Task.yield() }
        #expect(await room.shown == ["hello", "world"])
        visitor.lifetime.end()
    }
}
