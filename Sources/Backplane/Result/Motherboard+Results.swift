extension Motherboard {
    /// Activates a board for this call only and returns its result.
    ///
    /// ```swift
    /// task {
    ///     let recipient = try await self.inner.result(of: RecipientPicker.id, with: alreadyChosen)
    ///     self.show(recipient)
    /// }
    /// ```
    ///
    /// The board is private. It is made even if another one is live, its outputs reach no flow, and
    /// commands to its ID do not reach it. Gates in front of it are asked as always. For a board
    /// whose `Output` is `Never`, the call throws and activates nothing.
    ///
    /// To wait for several boards at once, start a `Task {}` for each. Do the same in a test that
    /// sends the output after this call. `async let` does not compile, because it would send the
    /// motherboard to another actor.
    ///
    /// **Cancellation.** Cancelling the waiting task completes the board as
    /// ``Completion/cancelled``. While the call waits, it throws a `CancellationError` in three
    /// cases: the task is cancelled, the board is cancelled, or the motherboard completes.
    ///
    /// - Parameters:
    ///   - id: the board to ask.
    ///   - input: the input for the board.
    ///   - takingLast: whether the result is the last output before the board completes as
    ///     ``Completion/done``, for a board that reports progress before its result.
    ///   - isolation: the motherboard's actor; leave it to its default.
    /// - Returns: the board's first output, after which the board is completed; with `takingLast`,
    ///   the board's last output.
    /// - Throws: `CancellationError` as described above. ``BoardError`` if there is no result for
    ///   another reason: the board is done without output, denied or not registered, or the
    ///   motherboard is gone. Otherwise the error of a board that failed.
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        takingLast: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Contract.Output {
        try Task.checkCancellation()
        if Contract.Output.self == Never.self { throw BoardError.hasNoOutput(AnyBoardID(id)) }
        let listener = Listener<Contract>(isPrivate: true)
        let activation = activate(id, with: input, for: listener, from: nil)
        do {
            var result = try await listener.next(isolation: isolation)
            if takingLast {
                while result != nil, let next = try await listener.next(isolation: isolation) { result = next }
            }
            let isGivenUp = Task.isCancelled || activation.completion?.isCancelled ?? false
            guard let result, !isGivenUp || !takingLast else {
                throw isGivenUp ? CancellationError() : BoardError.completedWithoutOutput(AnyBoardID(id))
            }
            activation.complete()
            return result
        } catch {
            // Ends the board if the caller has given up.
            activation.complete(.cancelled)
            // The task is cancelled, even if another error arrived first.
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Activates a board that needs no input for this call only and returns its result.
    ///
    /// For everything else, see ``result(of:with:takingLast:isolation:)``.
    public func result<Contract>(
        of id: BoardID<Contract>,
        takingLast: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Contract.Output where Contract.Input == Void {
        try await result(of: id, with: (), takingLast: takingLast, isolation: isolation)
    }

    /// Activates a board and returns the outputs of this activation as an asynchronous sequence.
    ///
    /// The sequence includes the first output. Flows fire as for any other activation, before the
    /// sequence receives the output.
    ///
    /// ```swift
    /// for try await progress in motherboard.outputs(of: Export.id, with: course) {
    ///     show(progress)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board to activate.
    ///   - input: the input for the board.
    /// - Returns: the outputs, which you read on the motherboard's actor.
    public func outputs<Contract>(of id: BoardID<Contract>, with input: Contract.Input) -> BoardOutputs<Contract> {
        let listener = Listener<Contract>(isPrivate: false)
        return BoardOutputs(activation: activate(id, with: input, for: listener, from: nil), listener: listener)
    }

    /// Activates a board that needs no input and returns its outputs as an asynchronous sequence.
    ///
    /// For everything else, see ``outputs(of:with:)``.
    public func outputs<Contract>(of id: BoardID<Contract>) -> BoardOutputs<Contract> where Contract.Input == Void {
        outputs(of: id, with: ())
    }
}
