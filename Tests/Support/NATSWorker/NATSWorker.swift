#if NATS
    import Backplane
    import BackplaneNATS
    import Foundation

    /// Sends the numbers below its input, one after another, and ends.
    enum Counting: BoardContract {
        typealias Input = Int
        typealias Output = Int
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
            let clock = ContinuousClock()
            var worker = BoardWorker(nats, concurrency: 4, attempts: 1_000, heartbeat: .milliseconds(300)) {
                motherboard in
                motherboard.registerTask(Counting.id) { count, slot in
                    for number in 0..<(count - 1) {
                        slot.send(number)
                        try await clock.sleep(for: .milliseconds(5))
                    }
                    return count - 1
                }
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
