#if NATS
    internal import BackplaneConcurrency
    internal import Foundation

    /// The outputs and the end of one attempt at a job, until the host has confirmed them.
    final class Outbox: Sendable {
        private struct State: Sendable {
            var outputs: [Data] = []
            var first = 1
            var end: End?
            var commands = 0
            var isGivenBack = false
        }

        /// Wakes the loop that reports.
        let wake = Signal()
        private let state = Locked(State())
        private static let limit = 10_000

        var isGivenBack: Bool { state.withLock { $0.isGivenBack } }

        /// Adds an output; returns `false` if too many outputs wait for the host.
        func add(_ output: Data) -> Bool {
            let hasRoom = state.withLock { state in
                guard state.outputs.count < Self.limit else { return false }
                state.outputs.append(output)
                return true
            }
            wake.wake()
            return hasRoom
        }

        func finish(_ end: End) {
            state.withLock { $0.end = $0.end ?? end }
            wake.wake()
        }

        /// Asks for the job to be given to another worker.
        func giveBack() {
            state.withLock { $0.isGivenBack = true }
            wake.wake()
        }

        /// Returns the next report: as many outputs as fit, at least one, and the end if all fit.
        func report(on job: Job, _ delivery: Delivery, worker: String, size: Int) -> Report {
            state.withLock { state in
                var left = size
                let outputs = state.outputs.prefix { output in
                    defer { left -= output.count }
                    return left == size || output.count <= left
                }
                return Report(
                    activation: job.activation,
                    position: delivery.sequence,
                    attempt: delivery.count,
                    worker: worker,
                    first: state.first,
                    outputs: Array(outputs),
                    end: outputs.count == state.outputs.count ? state.end : nil,
                    commands: state.commands
                )
            }
        }

        /// Removes what was delivered; returns whether anything is left to report.
        func confirm(_ answer: Answer) -> Bool {
            state.withLock { state in
                let count = min(max(answer.delivered - state.first + 1, 0), state.outputs.count)
                state.outputs.removeFirst(count)
                state.first += count
                state.commands += answer.commands.count
                return !state.outputs.isEmpty || state.end != nil || !answer.commands.isEmpty
            }
        }
    }

    /// The attempts of one worker that are not over.
    final class Duty: Sendable {
        private let outboxes = Locked<[ObjectIdentifier: Outbox]>([:])

        func begin(_ outbox: Outbox) { outboxes.withLock { $0[ObjectIdentifier(outbox)] = outbox } }
        func end(_ outbox: Outbox) { outboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(outbox)) } }

        func giveBackAll() {
            for outbox in outboxes.withLock({ Array($0.values) }) { outbox.giveBack() }
        }
    }
#endif
