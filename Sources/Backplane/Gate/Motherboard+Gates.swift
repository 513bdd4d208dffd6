import BackplaneConcurrency

extension Motherboard {
    /// Puts a gate in front of a board: activating `id` first activates the gate's board and waits for
    /// its answer.
    ///
    /// **Opening.** A gate opens on an output of its board that is judged ``GateVerdict/open`` and was
    /// sent in answer to this question. If the gate's board ends without one, the activation is
    /// ``ActivationState/denied(_:)`` and the board behind is not made: gates fail closed.
    ///
    /// **Several gates.** Gates add up. They are asked one after another: those of
    /// ``gateAll(by:with:except:unless:replacing:fileID:line:verdict:)`` from the root inward, then the
    /// board's own in the order of registration. A board is entered when all have opened.
    ///
    /// **Questions.** A gate with input is asked at a board made for the question, which completes as
    /// ``Completion/done`` once it has decided. A gate without input is one question, shared by all
    /// activations that wait at it; it is asked again at the next activation.
    ///
    /// **Place.** The gate's board lives on the motherboard on which the gate was set. Nested
    /// motherboards inherit the gate and share that board. Boards that the gate's board activates in
    /// order to answer do not pass that gate.
    ///
    /// ```swift
    /// motherboard.gate(.camera, by: .permission, with: "May the app use the camera?") { isGranted in
    ///     isGranted ? .open : .closed
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board behind the gate.
    ///   - gate: the board that decides.
    ///   - input: the question, with which the gate's board is activated.
    ///   - isKnown: a closure that returns true if the answer is known to be yes. Then nothing is
    ///     asked, no flow fires and no event is raised. Called each time the gate's turn comes.
    ///   - replacing: whether this replaces the same gate: one set here, for the same board, by the same
    ///     board, with an equal question. Setting the same gate twice traps otherwise. Questions that
    ///     cannot be compared count as equal.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - verdict: returns the effect of an output of the gate's board on an activation that waits.
    public func gate<Contract, GateContract>(
        _ id: BoardID<Contract>,
        by gate: BoardID<GateContract>,
        with input: GateContract.Input,
        unless isKnown: (() -> Bool)? = nil,
        replacing: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) {
        let site = CallSite(fileID, line)
        addGate(
            to: id,
            with: makeGate(by: gate, with: input, unless: isKnown, verdict, at: site),
            replacing,
            at: site
        )
    }

    /// Puts a gate that needs no input in front of a board.
    ///
    /// Otherwise see ``gate(_:by:with:unless:replacing:fileID:line:verdict:)``.
    ///
    /// ```swift
    /// motherboard.gate(.course, by: .login) { output in
    ///     switch output { case .signedIn: .open }
    /// }
    /// ```
    public func gate<Contract, GateContract>(
        _ id: BoardID<Contract>,
        by gate: BoardID<GateContract>,
        unless isKnown: (() -> Bool)? = nil,
        replacing: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) where GateContract.Input == Void {
        let site = CallSite(fileID, line)
        addGate(
            to: id,
            with: makeGate(by: gate, with: (), unless: isKnown, verdict, at: site),
            replacing,
            at: site
        )
    }

    /// Puts a gate in front of a board whose question depends on the input of the activation.
    ///
    /// Activations with equal questions (`Equatable` inputs of the gate) that wait at the same time
    /// share one board; others have one each. Otherwise see
    /// ``gate(_:by:with:unless:replacing:fileID:line:verdict:)``.
    ///
    /// ```swift
    /// motherboard.gate(
    ///     .payment,
    ///     by: .confirm,
    ///     asking: { order in order.total > 100 ? "Pay \(order.total)?" : nil },
    ///     verdict: { isConfirmed in isConfirmed ? .open : .closed }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board behind the gate.
    ///   - gate: the board that decides.
    ///   - question: returns the input of the gate's board, or nil to ask nothing and let pass. Called
    ///     when the gate's turn comes.
    ///   - replacing: whether this replaces the gate that was set here for `id` by the same board.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - verdict: returns the effect of an output of the gate's board on an activation that waits.
    public func gate<Contract, GateContract>(
        _ id: BoardID<Contract>,
        by gate: BoardID<GateContract>,
        asking question: @escaping (Contract.Input) -> GateContract.Input?,
        replacing: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) {
        // The rule is in front of `id` only, so the waiter has that contract.
        let asking = { (waiter: GateWaiter) in
            downcast(waiter, to: TypedGateWaiter<Contract>.self).input.flatMap(question)
        }
        let site = CallSite(fileID, line)
        let rule = TypedGate(by: entry(for: gate, at: site), asking: nil, asking, verdict: verdict)
        addGate(to: id, with: rule, replacing, at: site)
    }

    /// Puts a gate in front of every other board, here and on nested motherboards, except those named.
    ///
    /// The gate's own board is not behind it, nor behind general gates that are asked after it: of two
    /// general gates, the first one's board is not behind the second. Otherwise see
    /// ``gate(_:by:with:unless:replacing:fileID:line:verdict:)``.
    ///
    /// ```swift
    /// motherboard.gateAll(by: .login, except: .catalog, .help) { output in
    ///     switch output { case .signedIn: .open }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - gate: the board that decides.
    ///   - input: the question, with which the gate's board is activated.
    ///   - exceptions: boards that this gate is not in front of; their own gates still are.
    ///   - isKnown: a closure that returns true if the answer is known to be yes.
    ///   - replacing: whether this replaces the same gate.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - verdict: returns the effect of an output of the gate's board on an activation that waits.
    public func gateAll<GateContract, each Exception>(
        by gate: BoardID<GateContract>,
        with input: GateContract.Input,
        except exceptions: repeat BoardID<each Exception>,
        unless isKnown: (() -> Bool)? = nil,
        replacing: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) {
        checkOwner()
        let site = CallSite(fileID, line)
        let rule = makeGate(by: gate, with: input, unless: isKnown, verdict, at: site)
        var exempt: Set<AnyBoardID> = []
        // Their contracts are known from now on, also to a replay.
        for exception in repeat each exceptions { exempt.insert(entry(for: exception, at: site).anyID) }
        guardAll(GeneralGate(gate: rule, exempt: exempt), replacing: replacing, at: site)
    }

    /// Puts a gate that needs no input in front of every other board: see
    /// ``gateAll(by:with:except:unless:replacing:fileID:line:verdict:)``.
    public func gateAll<GateContract, each Exception>(
        by gate: BoardID<GateContract>,
        except exceptions: repeat BoardID<each Exception>,
        unless isKnown: (() -> Bool)? = nil,
        replacing: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) where GateContract.Input == Void {
        gateAll(
            by: gate,
            with: (),
            except: repeat each exceptions,
            unless: isKnown,
            replacing: replacing,
            fileID: fileID,
            line: line,
            verdict: verdict
        )
    }

    private func makeGate<GateContract>(
        by gate: BoardID<GateContract>,
        with input: GateContract.Input,
        unless isKnown: (() -> Bool)?,
        _ verdict: @escaping (GateContract.Output) -> GateVerdict,
        at site: CallSite
    ) -> TypedGate<GateContract> {
        let question = { (_: GateWaiter) in isKnown?() ?? false ? nil : input }
        return TypedGate(by: entry(for: gate, at: site), asking: input, question, verdict: verdict)
    }

    private func addGate<Contract>(to id: BoardID<Contract>, with gate: Gate, _ replacing: Bool, at site: CallSite) {
        checkOwner()
        entry(for: id, at: site).addGate(gate, replacing: replacing, at: site)
    }
}

/// A gate in front of every board but some.
struct GeneralGate {
    let gate: Gate
    let exempt: Set<AnyBoardID>
}

extension CallSite {
    func failBecauseGateIsSet(_ gate: Gate, before behind: String) -> Never {
        fail(
            """
            The gate '\(gate.gateBoard.anyID)' is set in front of \(behind) already. Remove one of the two calls, pass \
            `replacing: true` where that is meant, or ask another question.
            """
        )
    }
}
