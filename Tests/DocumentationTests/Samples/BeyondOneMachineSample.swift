// The samples of Sources/BackplaneNATS/BackplaneNATS.docc/BeyondOneMachine.md.
#if NATS
    import Backplane
    import BackplaneNATS
    import Foundation

    private enum BeyondOneMachine {
        enum Transcript: BoardContract {
            typealias Input = String
            enum Output: Codable {
                case progress(Int)
                case document(URL)
            }
        }

        struct TranscriptModule: BoardModule {
            func register(on motherboard: Motherboard) {}
        }

        func assemble(_ motherboard: Motherboard, _ nats: NATSConnection) {
            motherboard.registerRemote(Transcript.id, through: nats)
        }

        func work(_ nats: NATSConnection) async {
            let worker = BoardWorker(nats, concurrency: 8) { motherboard in
                motherboard.install(TranscriptModule())
            }
            .serving(Transcript.id)
            await worker.run()
        }

        func tidy(_ nats: NATSConnection) async throws {
            for letter in try await nats.deadLetters() {
                print(letter.board, letter.reason)
                try await nats.replay(letter)
            }
        }
    }
#endif
