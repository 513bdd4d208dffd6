import BackplaneFeatures
import BackplaneTesting
import HTTPTypes

extension ChangeSenderContract {
    static let attempts: [Clause] = [
        Clause("a change is visible in its turn, and the changes of a record are sent one at a time, in order") {
            trial in
            let latch = trial.hold(.add("1"))
            try await trial.begin()
            try trial.make(.add("1"))
            try trial.make(.add("2"))
            try require(trial.shown == ["base", "1", "2"], "The list showed \(trial.shown ?? []) in the same turn.")
            await trial.wait(for: ["+1: sending", "+2: queued"])
            await trial.requests(1)
            try require(trial.received == ["+1"], "The server had received \(trial.received) during the first attempt.")
            latch.open()
            await trial.wait(for: [])
            try require(trial.received == ["+1", "+2"], "The server received \(trial.received).")
            try require(trial.keys == 2, "Two changes had \(trial.keys) keys.")
            try require(trial.shown == ["base", "1", "2"], "The list showed \(trial.shown ?? []) at the end.")
        },
        Clause("a change without a response stays visible, and is sent again with its key") { trial in
            trial.answer(.add("1"), with: .status(.serviceUnavailable))
            try await trial.begin()
            try trial.make(.add("1"))
            await trial.wait(until: "the change was unconfirmed with an error") {
                trial.progress == ["+1: unconfirmed"] && trial.pending.first?.error?.code == .unconfirmed
            }
            try require(trial.pending.first?.error?.status == 503, "The error had no status of the server.")
            try require(trial.shown == ["base", "1"], "The list showed \(trial.shown ?? []).")
            await trial.clock.sleepers(atLeast: 1)
            trial.clock.advance(by: .seconds(1))
            await trial.wait(for: [])
            try require(trial.received == ["+1", "+1"], "The server received \(trial.received).")
            try require(trial.keys == 1, "The two attempts had \(trial.keys) keys.")
        },
        Clause("a load during an attempt neither hides the change nor shows it twice") { trial in
            let latch = trial.hold(.add("1"))
            try await trial.begin()
            try trial.make(.add("1"))
            await trial.requests(1)
            // The server has carried it out already, so this load contains it.
            await trial.reload()
            try require(trial.shown == ["base", "1"], "The list showed \(trial.shown ?? []) during the attempt.")
            latch.open()
            await trial.wait(for: [])
            try require(trial.shown == ["base", "1"], "The list showed \(trial.shown ?? []) at the end.")
        },
        Clause("a cancelled caller ends its wait, and not the change") { trial in
            let latch = trial.hold(.add("1"))
            try await trial.begin()
            let caller = Task { try await trial.perform(.add("1")) }
            await trial.requests(1)
            caller.cancel()
            switch await caller.result {
            case .failure(is CancellationError): break
            case let other: throw ContractViolation(description: "The cancelled call ended with \(other).")
            }
            try require(trial.shown == ["base", "1"], "The list showed \(trial.shown ?? []) after the cancellation.")
            latch.open()
            await trial.wait(for: [])
            try require(trial.shown == ["base", "1"], "The list showed \(trial.shown ?? []) at the end.")
        },
    ]

    static let refusals: [Clause] =
        [422, 409].map { status in
            Clause("a change that is refused with \(status) is undone with the reason, and the next one is sent") {
                trial in
                trial.answer(.add("1"), with: .refusal(.init(code: status)))
                try await trial.begin()
                try trial.make(.add("1"))
                try trial.make(.add("2"))
                await trial.wait(for: ["+1: failed"])
                try require(trial.received == ["+1", "+2"], "The server received \(trial.received).")
                let error = trial.pending.first?.error
                try require(
                    error?.code == .rejected && error?.status == status && error?.reason == "No.",
                    "The error was \(error.map(String.init(reflecting:)) ?? "none"), with \(error?.reason ?? "no reason")."
                )
                try require(trial.shown == ["base", "2"], "The list showed \(trial.shown ?? []).")
            }
        } + [
            Clause("a caller receives the refusal of its change") { trial in
                trial.answer(.add("1"), with: .refusal())
                try await trial.begin()
                do {
                    try await trial.perform(.add("1"))
                    throw ContractViolation(description: "The call returned after a refusal.")
                } catch let error as FeatureError {
                    try require(error.code == .rejected && error.reason == "No.", "The error was \(error).")
                }
            },
            Clause("a change that needs a refused one fails and says so, is not sent, and stops no other change") {
                trial in
                trial.answer(.add("1"), with: .refusal())
                try await trial.begin()
                let refused = try trial.make(.add("1"))
                let second = try trial.make(.add("2"), after: [refused])
                try trial.make(.add("3"))
                await trial.wait(for: ["+1: failed", "+2: failed"])
                try trial.make(.add("4"), after: [second])
                await trial.wait(for: ["+1: failed", "+2: failed", "+4: failed"])
                let errors = trial.pending.compactMap(\.error)
                try require(
                    errors.map(\.code) == [.rejected, .dependencyFailed, .dependencyFailed],
                    "The codes were \(errors.map(\.code))."
                )
                try require(
                    errors.count == 3 && errors[1].message.contains("'+1'") && errors[2].message.contains("'+2'"),
                    "The errors do not name the changes that were needed: \(errors.map(\.message))."
                )
                try require(trial.received == ["+1", "+3"], "The server received \(trial.received).")
                try require(trial.shown == ["base", "3"], "The list showed \(trial.shown ?? []).")
            },
            Clause("a change that does not apply without a refused one fails, and is not sent") { trial in
                trial.answer(.add("1"), with: .refusal())
                try await trial.begin()
                try trial.make(.add("1"))
                try trial.make(.remove("1"))
                try trial.make(.add("2"))
                await trial.wait(for: ["+1: failed", "-1: failed"])
                let codes = trial.pending.map(\.error?.code)
                try require(codes == [.rejected, .targetMissing], "The codes were \(codes).")
                try require(trial.received == ["+1", "+2"], "The server received \(trial.received).")
                try require(trial.shown == ["base", "2"], "The list showed \(trial.shown ?? []).")
            },
            Clause("a refusal that was dismissed is gone, also in the next process") { trial in
                trial.answer(.add("1"), with: .refusal())
                try await trial.begin()
                let refused = try trial.make(.add("1"))
                await trial.wait(for: ["+1: failed"])
                trial.dismiss(refused)
                try require(trial.pending.isEmpty, "After the dismissal, \(trial.progress) was pending.")
                // The next change ends after the dismissal has reached the file.
                try await trial.perform(.add("2"))
                try await trial.begin()
                try require(trial.pending.isEmpty, "In the next process, \(trial.progress) was pending.")
                try require(trial.received == ["+1", "+2"], "The server received \(trial.received).")
            },
        ]

    static let endings: [Clause] = [
        Clause("after a sign-out nothing is shown, and callers learn that the session has ended") { trial in
            let latch = trial.hold(.add("1"))
            try await trial.begin()
            let caller = Task { try await trial.perform(.add("1")) }
            await trial.requests(1)
            trial.signOut()
            try require(trial.shown == nil && trial.pending.isEmpty, "\(trial.shown ?? []) was still shown.")
            switch await caller.result {
            case .failure(let error as FeatureError) where error.code == .sessionEnded: break
            case let other: throw ContractViolation(description: "The call ended with \(other).")
            }
            latch.open()
            try await trial.begin()
            await trial.wait(for: [])
            try require(trial.shown == ["base", "1"], "The next session showed \(trial.shown ?? []).")
        },
        Clause("after a restart, saved changes are there as before, and others are gone") { trial in
            trial.answer(.add("1"), with: .refusal())
            let lost = StubbedResponse.status(.serviceUnavailable)
            trial.answer(.add("2"), with: lost)
            try await trial.begin()
            try trial.make(.add("1"))
            try trial.make(.add("2"))
            await trial.wait(until: "one change was refused, and the other had no response") {
                trial.progress == ["+1: failed", "+2: unconfirmed"] && trial.pending.last?.error != nil
            }
            let isSaved = trial.pending.map(\.isSaved)
            try require(isSaved == [true, true] || isSaved == [false, false], "The changes differ: \(isSaved).")
            let reasons = trial.pending.map(\.error?.reason)
            trial.answer(.add("2"), with: lost)
            try await trial.begin()
            guard isSaved == [true, true] else {
                return try require(trial.pending.isEmpty, "Changes that were not saved are pending: \(trial.progress).")
            }
            await trial.wait(for: ["+1: failed", "+2: unconfirmed"])
            try require(trial.pending.map(\.error?.reason) == reasons, "The reasons are other ones than before.")
            try require(trial.pending.allSatisfy(\.isSaved), "The changes do not count as saved any more.")
            try require(trial.shown == ["base", "2"], "The list showed \(trial.shown ?? []).")
            await trial.pass(until: ["+1: failed"])
            try require(trial.keys == 2, "Two changes had \(trial.keys) keys.")
        },
    ]
}
