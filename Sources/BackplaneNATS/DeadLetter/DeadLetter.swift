#if NATS
    internal import Foundation

    /// A job that was given up: no worker ended it, could read it, or began it in time.
    public struct DeadLetter: Sendable {
        /// The position among the dead letters of the app, by which the letter is found.
        public let id: UInt64
        /// The name of the board.
        public let board: String
        /// The version of the contract.
        public let version: Int
        /// The reason, with its remedy.
        public let reason: String
        let job: Job?

        init(id: UInt64, _ data: Data) {
            self.id = id
            let content = try? decode(Content.self, data)
            board = content?.address.name ?? ""
            version = content?.address.version ?? 0
            reason = content?.reason ?? "This message is no dead letter. Find out what else publishes to this subject."
            job = content?.job
        }

        struct Content: Codable {
            let job: Job
            let address: BoardAddress
            let reason: String
        }
    }

    extension NATSConnection {
        /// Stores a dead letter.
        func bury(_ job: Job, _ address: BoardAddress, _ reason: String) async throws {
            let content = encode(DeadLetter.Content(job: job, address: address, reason: reason))
            _ = try await store(content, in: .dead, address, id: "dead.\(job.activation)")
        }

        /// Returns dead letters, the oldest first.
        ///
        /// - Parameters:
        ///   - last: the ``DeadLetter/id`` after which the list begins, to read on.
        ///   - limit: the largest number of letters to return.
        /// - Returns: the letters.
        /// - Throws: ``NATSError``.
        public func deadLetters(after last: UInt64 = 0, limit: Int = 100) async throws -> [DeadLetter] {
            var letters: [DeadLetter] = []
            var position = last
            while letters.count < limit, position < .max, let next = try await message(in: .dead, from: position + 1) {
                letters.append(DeadLetter(id: next.position, next.data))
                position = next.position
            }
            return letters
        }

        /// Gives a dead letter to the workers once more, and removes it.
        ///
        /// Its activation has ended, so nothing receives the outputs of the job.
        ///
        /// - Parameter letter: the letter.
        /// - Throws: ``NATSError``, for example ``NATSError/Code/busy``; then the letter stays.
        public func replay(_ letter: DeadLetter) async throws {
            guard let job = letter.job else {
                throw NATSError(.invalid, "Dead letter \(letter.id) contains no job to replay. Discard it.")
            }
            let address = BoardAddress(name: letter.board, version: letter.version)
            _ = try await store(encode(job), in: .jobs, address, id: "replay.\(letter.id).\(job.activation)")
            try await discard(letter)
        }

        /// Removes a dead letter; one that is gone is no error.
        ///
        /// - Parameter letter: the letter.
        /// - Throws: ``NATSError`` if the server cannot be reached.
        public func discard(_ letter: DeadLetter) async throws {
            _ = try await remove(letter.id, from: .dead)
        }
    }
#endif
