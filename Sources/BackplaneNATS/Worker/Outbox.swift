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
                let outputs = state.outputs.fitting(size)
                return Report(
                    activation: job.activation,
                    position: delivery.sequence,
                    attempt: delivery.count,
                    worker: worker,
                    first: state.first,
                    outputs: outputs,
                    end: outputs.count == state.outputs.count ? state.end : nil,
                    commands: state.commands
                )
            }
        }

        /// Removes what was delivered; returns whether anything is left to report.
        func confirm(_ answer: Answer) -> Bool {
            state.withLock { state in
                let last = min(answer.delivered, state.first + state.outputs.count - 1)
                let count = max(last, state.first - 1) - state.first + 1
                state.outputs.removeFirst(count)
                state.first += count
                state.commands += answer.commands.count
                return !state.outputs.isEmpty || state.end != nil || !answer.commands.isEmpty
            }
        }
    }

    /// The attempts of one worker that are not over.
    final class Duty: Sendable {
        private let state = Locked<(isOver: Bool, outboxes: [ObjectIdentifier: Outbox])>((false, [:]))

        func begin(_ outbox: Outbox) {
            let isOver = state.withLock { state in
                state.outboxes[ObjectIdentifier(outbox)] = outbox
                return state.isOver
            }
            // Its job came just before the end.
            if isOver { outbox.giveBack() }
        }

        func end(_ outbox: Outbox) { state.withLock { _ = $0.outboxes.removeValue(forKey: ObjectIdentifier(outbox)) } }

        func giveBackAll() {
            let outboxes = state.withLock { state in
                state.isOver = true
                return Array(state.outboxes.values)
            }
            for outbox in outboxes { outbox.giveBack() }
        }
    }
#endif
