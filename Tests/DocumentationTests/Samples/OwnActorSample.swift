// Sources/Backplane/Backplane.docc/OnYourOwnActor.md, and tests of it.

import Backplane
import BackplaneTesting
import Testing

enum Feed: BoardContract {
    typealias Input = AsyncStream<String>
    typealias Output = String
}

extension BoardID<Feed> { static var feed: Self { "feed" } }

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
        motherboard.pair(with: visitor)  // ends with the visitor
        motherboard.register(.feed, FeedBoard.init)
        motherboard.registerFlow(from: .feed, weak: self) { room, message in
            room.assumeIsolated { $0.shown.append(message) }
        }
        motherboard.activate(.feed, with: messages)
    }

    func close() {
        motherboard.complete()
    }
}

final class Visitor: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
}

@Suite(.timeLimit(.minutes(1)))
struct OwnActorSample {
    @Test func `a room is released when its visitor has gone`() async {
        let (messages, _) = AsyncStream.makeStream(of: String.self)
        let released = AsyncGate()
        var visitor: Visitor? = Visitor()
        if let visitor {
            await ChatRoom { released.open() }.open(for: visitor, reading: messages)
        }
        visitor = nil
        await released.wait()
    }

    @Test func `a room is released when it is closed`() async {
        let (messages, _) = AsyncStream.makeStream(of: String.self)
        let released = AsyncGate()
        let visitor = Visitor()
        do {
            let room = ChatRoom { released.open() }
            await room.open(for: visitor, reading: messages)
            await room.close()
        }
        await released.wait()
    }

    @Test func `boards on an actor of your own send on it`() async {
        let (messages, sender) = AsyncStream.makeStream(of: String.self)
        let visitor = Visitor()
        let room = ChatRoom {}
        await room.open(for: visitor, reading: messages)
        sender.yield("hello")
        sender.yield("world")
        while await room.shown.count < 2 { await Task.yield() }
        #expect(await room.shown == ["hello", "world"])
        visitor.lifetime.end()
    }
}
