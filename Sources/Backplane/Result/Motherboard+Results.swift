extension Motherboard {
    /// Activates a board of its own for this call and waits for its answer: how one asks a board a question.
    ///
    /// ```swift
    /// task {
    ///     let recipient = try await self.inner.result(of: .recipientPicker, with: alreadyChosen)
    ///     self.show(recipient)
    /// }
    /// ```
    ///
    /// The board is private: it is made anew even if another is live, its outputs reach no flow, and commands to its ID pass
    /// it by. Gates in front of it are asked as always. A board whose `Output` is `Never` has no result; this does not
    /// compile for one.
    ///
    /// To ask several at once, or from a test that then answers, start a `Task {}` for each: `async let` would send the
    /// motherboard to another actor, and does not compile.
    ///
    /// **Cancellation.** Cancelling the waiting task completes the board as ``Completion/cancelled``. Giving up is always a
    /// `CancellationError`: of the caller, of the board that was asked, of the motherboard while it waits.
    ///
    /// - Parameters:
    ///   - id: the board to ask.
    ///   - input: what it is activated with.
    ///   - taken: which of its outputs is the result.
    ///   - isolation: the motherboard's actor; leave it to its default.
    /// - Returns: the board's first output, after which it is completed; or with ``TakenOutput/last`` the last one before it
    ///   completes by itself.
    /// - Throws: `CancellationError` when the question was given up; ``BoardError`` when there is no result for another
    ///   reason (done without output, denied, not registered, motherboard gone before); the error the board failed with.
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Contract.Output {
        try Task.checkCancellation()
        let listener = Listener<Contract>(isPrivate: true)
        let activation = activate(id, with: input, for: listener, from: nil)
        do {
            var result = try await listener.next(isolation: isolation)
            if taken == .last {
                while result != nil, let next = try await listener.next(isolation: isolation) { result = next }
            }
            let isGivenUp = Task.isCancelled || activation.completion?.isCancelled ?? false
            guard let result, !isGivenUp || taken == .first else {
                throw isGivenUp ? CancellationError() : BoardError.completedWithoutOutput(AnyBoardID(id))
            }
            activation.complete()
            return result
        } catch {
            // Ends a board whose caller has given up.
            activation.complete(.cancelled)
            // Given up, though the motherboard may have been first to say so.
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Asks a board that needs no input: see ``result(of:with:taking:isolation:)``.
    public func result<Contract>(
        of id: BoardID<Contract>,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Contract.Output where Contract.Input == Void {
        try await result(of: id, with: (), taking: taken, isolation: isolation)
    }

    /// Activates a board and gives what this activation sends, the first output included, as an asynchronous sequence.
    ///
    /// An activation like any other: flows fire too, and before the sequence has the output.
    ///
    /// ```swift
    /// for try await progress in motherboard.outputs(of: .export, with: course) {
    ///     show(progress)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board to activate.
    ///   - input: what it is activated with.
    /// - Returns: the outputs, to be read on the motherboard's actor.
    public func outputs<Contract>(of id: BoardID<Contract>, with input: Contract.Input) -> BoardOutputs<Contract> {
        let listener = Listener<Contract>(isPrivate: false)
        return BoardOutputs(activation: activate(id, with: input, for: listener, from: nil), listener: listener)
    }

    /// Activates a board that needs no input and gives what it sends: see ``outputs(of:with:)``.
    public func outputs<Contract>(of id: BoardID<Contract>) -> BoardOutputs<Contract> where Contract.Input == Void {
        outputs(of: id, with: ())
    }
}

/// The output of a board that is its result: see ``Motherboard/result(of:with:taking:isolation:)``.
public enum TakenOutput: Hashable, Sendable {
    /// The first one, for a board that answers a question.
    case first
    /// The last one before the board completes as ``Completion/done``, for a board that reports progress before.
    case last
}
