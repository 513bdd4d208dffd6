#if NATS
    internal import Foundation

    /// A board and the version of its contract, as both stand in subjects.
    struct BoardAddress: Hashable, Sendable, Codable, CustomStringConvertible {
        let name: String
        let version: Int

        /// The two tokens of a subject; each other byte of the name is written as `_` and two
        /// digits.
        var token: String { "\(escapedName).v\(version)" }

        /// The name of the consumer, which must have no dot.
        var consumer: String { "\(escapedName)_v\(version)" }

        var description: String { "\(name) v\(version)" }

        private var escapedName: String {
            name.utf8.reduce(into: "") { text, byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                default:
                    let digits = String(byte, radix: 16, uppercase: true)
                    text += "_" + (byte < 16 ? "0" : "") + digits
                }
            }
        }
    }

    /// An activation on its way to a worker.
    struct Job: Codable, Sendable {
        /// The identity of the activation, which is the same in each attempt.
        let activation: String
        /// The subject that takes reports; `nil` if nothing waits any more.
        let host: String?
        let input: Data
    }

    /// The end of a board on its worker.
    enum End: Codable, Sendable {
        case done, cancelled
        case failed(code: String, message: String)

        init(_ error: NATSError) {
            self = .failed(code: error.code.description, message: error.message)
        }
    }

    /// The news from a worker, which it repeats until they are answered.
    struct Report: Codable, Sendable {
        let activation: String
        /// The job's position in its stream and the number of its deliveries: a larger pair is a
        /// later attempt.
        let position: UInt64
        let attempt: Int
        /// The subject at which the worker can be told to report at once.
        let worker: String
        /// The number of the first of the outputs; the first output of an attempt has number 1.
        let first: Int
        let outputs: [Data]
        /// The end, which follows these outputs.
        let end: End?
        /// The number of commands that this attempt has received.
        let commands: Int

        /// Whether the numbers are those of a worker; others would overflow.
        var isValid: Bool { first >= 1 && first < Int.max - outputs.count && commands >= 0 }
    }

    /// The answer to a report.
    struct Answer: Codable, Sendable {
        enum Standing: String, Codable, Sendable {
            /// The activation goes on.
            case live
            /// The activation has ended, so the job is done, or work on it is in vain.
            case ended
            /// Another attempt has the same job.
            case superseded
        }

        let standing: Standing
        /// The number of the last output that was delivered.
        let delivered: Int
        /// The commands after those that the attempt has received.
        let commands: [Data]
    }

    extension Sequence<Data> {
        /// The first elements: as many as fit in a size, but at least one.
        func fitting(_ size: Int) -> [Data] {
            var left = size
            return Array(
                prefix { data in
                    defer { left -= data.count }
                    return left == size || data.count <= left
                }
            )
        }
    }
#endif
