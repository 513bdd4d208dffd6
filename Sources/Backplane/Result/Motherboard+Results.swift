extension Motherboard {
    /// Activates a board of its own for this call and waits for its first output: how one asks a board a question.
    ///
    /// ```swift
    /// task {
    ///     let recipient = try await self.motherboard.result(of: .recipientPicker, with: alreadyChosen)
    ///     self.show(recipient)
    /// }
    /// ```
    ///
    /// The board is private: it is made anew even if another is live, its outputs reach no flow, and commands to its identity
    /// pass it by. It completes once it has answered. A gate in front of it is asked as always. A board whose `Output` is
    /// `Never` has no result; this does not compile for one.
    ///
    /// To ask several at once, or from a test that then answers, start a `Task {}` for each: `async let` would send the motherboard
    /// to another actor, and does not compile.
    ///
    /// **Cancellation.** Cancelling the waiting task completes the board as ``Completion/cancelled``.
    ///
    /// - Parameters:
    ///   - id: the board to ask.
    ///   - input: what it is activated with.
    ///   - isolation: the motherboard's actor; leave it to its default.
    /// - Returns: the board's first output.
    /// - Throws: ``BoardError`` when there is none (ended without output, denied, not registered, motherboard gone), what the
    ///   board failed with, or `CancellationError`.
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Contract.Output {
        try Task.checkCancellation()
        let listener = Listener<Contract>(isPrivate: true)
        let activation = activate(id, with: input, for: listener)
        do {
            guard let output = try await listener.next(isolation: isolation) else {
                try Task.checkCancellation()
                throw BoardError.completedWithoutOutput(AnyBoardID(id), activation.completion)
            }
            activation.complete()
            return output
        } catch {
            // Ends what is still there: a board whose caller has given up.
            activation.complete(.cancelled)
            throw error
        }
    }

    /// Asks a board that needs no input: see ``result(of:with:isolation:)``.
    public func result<Contract>(
        of id: BoardID<Contract>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Contract.Output where Contract.Input == Void {
        try await result(of: id, with: (), isolation: isolation)
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
        return BoardOutputs(activation: activate(id, with: input, for: listener), listener: listener)
    }

    /// Activates a board that needs no input and gives what it sends: see ``outputs(of:with:)``.
    public func outputs<Contract>(of id: BoardID<Contract>) -> BoardOutputs<Contract> where Contract.Input == Void {
        outputs(of: id, with: ())
    }

    private func activate<Contract>(
        _ id: BoardID<Contract>,
        with input: Contract.Input,
        for listener: Listener<Contract>
    ) -> Activation<Contract> {
        guard !isCompleted else {
            listener.finish(throwing: BoardError.ownerGone(AnyBoardID(id)))
            return Activation(id, .ownerGone)
        }
        // This caller waits next; the reader of a sequence does so later.
        if listener.isPrivate { return turns.turnStartingWork { record(for: id).activate(with: input, for: listener) } }
        return turns.turn { record(for: id).activate(with: input, for: listener) }
    }
}
