#if NATS
    import Backplane
    import BackplaneNATS
    import Foundation

    /// Sends the numbers below its input, each after a command with the number before it, and ends.
    enum Counting: BoardContract {
        typealias Input = Int
        typealias Output = Int
        typealias Command = Int
    }

    final class CountingBoard: Board {
        let slot: Slot<Counting>
        private var count = 0

        init(slot: Slot<Counting>) {
            self.slot = slot
        }

        func activate(with count: Int) {
            self.count = count
            send(0)
        }

        func receive(_ number: Int) {
            if number + 2 < count { send(number + 1) } else { complete(sending: number + 1) }
        }
    }

    /// A worker in a process of its own, which a test kills.
    ///
    /// The arguments are the address of the server and, to see what is lost then,
    /// `--acknowledge-first`.
    @main
    struct NATSWorker {
        static func main() async throws {
            let arguments = CommandLine.arguments
            let nats = try await NATSConnection(servers: [arguments[1]], prefix: "test")
            var worker = BoardWorker(nats, concurrency: 4, attempts: 1_000, heartbeat: .milliseconds(300)) {
                motherboard in
                motherboard.register { CountingBoard(slot: $0) }
            }
            .serving(Counting.id)
            worker.acknowledgesFirst = arguments.contains("--acknowledge-first")
            await worker.run()
        }
    }
#else
    @main
    struct NATSWorker {
        static func main() {}
    }
#endif
