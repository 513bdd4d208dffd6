import BackplaneConcurrency

extension Motherboard {
    /// Puts a gate in front of a board.
    ///
    /// Activating `id` first activates the gate board and waits for its decision.
    ///
    /// **Opening.** A gate opens when its gate board sends an output that is judged
    /// ``GateVerdict/open``. The output must be sent in response to this question. If the gate
    /// board ends without such an output, the activation is ``ActivationState/denied(_:)``. The
    /// board behind the gate is not made then: gates fail closed.
    ///
    /// **Several gates.** A board may have several gates, and they are asked one after another. The
    /// gates of ``gateAll(by:with:except:unless:replacing:fileID:line:verdict:)`` come first, from
    /// the root motherboard inward. Then come the board's own gates, in the order of registration.
    /// The activation enters the board when all gates have opened.
    ///
    /// **Questions.** For a gate with input, a gate board is made for each question. It completes
    /// as ``Completion/done`` once it has decided. A gate without input has one question. All
    /// activations that wait at the gate share it. After the decision, the next activation asks it
    /// again.
    ///
    /// **Place.** The gate board lives on the motherboard on which you set the gate. Nested
    /// motherboards inherit the gate and share that gate board. If the gate board activates other
    /// boards to find its decision, they do not ask the same question. They do ask another question
    /// of the same gate board.
    ///
    /// ```swift
    /// motherboard.gate(Camera.id, by: Permission.id, with: "Use the camera?") { isGranted in
    ///     isGranted ? .open : .closed
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board behind the gate.
    ///   - gate: the gate board, which decides.
    ///   - input: the question, which is the input of the gate board.
    ///   - isKnown: returns true if the decision is known to be positive. The gate then asks
    ///     nothing: no flow fires and no event is raised. It is called each time this gate is next.
    ///   - replacing: whether this gate replaces the same gate. Two gates are the same if they are
    ///     set here, for the same board, with the same gate board and an equal question. Questions
    ///     that cannot be compared count as equal. Without `replacing`, setting the same gate twice
    ///     traps.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - verdict: returns the effect of an output of the gate board on a waiting activation.
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
    /// For everything else, see ``gate(_:by:with:unless:replacing:fileID:line:verdict:)``.
    ///
    /// ```swift
    /// motherboard.gate(Course.id, by: Login.id) { output in
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
        self.gate(
            id,
            by: gate,
            with: (),
            unless: isKnown,
            replacing: replacing,
            fileID: fileID,
            line: line,
            verdict: verdict
        )
    }

    /// Puts a gate in front of a board, with a question that depends on the activation's input.
    ///
    /// Activations with equal questions that wait at the same time share one gate board. Questions
    /// are equal if the gate board's inputs are `Equatable` and equal. Other activations have one
    /// gate board each. For everything else, see
    /// ``gate(_:by:with:unless:replacing:fileID:line:verdict:)``.
    ///
    /// ```swift
    /// motherboard.gate(
    ///     Payment.id,
    ///     by: Confirm.id,
    ///     asking: { order in order.total > 100 ? "Pay \(order.total)?" : nil },
    ///     verdict: { isConfirmed in isConfirmed ? .open : .closed }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board behind the gate.
    ///   - gate: the gate board, which decides.
    ///   - question: returns the input of the gate board, or `nil` to let the activation pass
    ///     without a question. It is called when this gate is next.
    ///   - replacing: whether this gate replaces the gate that was set here for `id` with the same
    ///     gate board.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - verdict: returns the effect of an output of the gate board on a waiting activation.
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
        let asking: Gate<GateContract>.Question = { waiter, ask in
            uncheckedDowncast(waiter, to: GateWaiter<Contract>.self).withInput?({ question($0).map(ask) })
        }
        let site = CallSite(fileID, line)
        let rule = Gate(by: entry(for: gate, at: site), asking: nil, asking, verdict: verdict)
        addGate(to: id, with: rule, replacing, at: site)
    }

    /// Puts a gate in front of every other board, here and on nested motherboards.
    ///
    /// The gate is not in front of `exceptions`, and not in front of its own gate board. Later
    /// general gates of the same motherboard are not in front of this gate board either. For
    /// everything else, see ``gate(_:by:with:unless:replacing:fileID:line:verdict:)``.
    ///
    /// ```swift
    /// motherboard.gateAll(by: Login.id, except: Catalog.id, Help.id) { output in
    ///     switch output { case .signedIn: .open }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - gate: the gate board, which decides.
    ///   - input: the question, which is the input of the gate board.
    ///   - exceptions: the boards without this gate. Their own gates are still asked.
    ///   - isKnown: returns true if the decision is known to be positive.
    ///   - replacing: whether this gate replaces the same gate.
    ///   - fileID: the caller's file; leave it to its default.
    ///   - line: the caller's line; leave it to its default.
    ///   - verdict: returns the effect of an output of the gate board on a waiting activation.
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
        // Creates the entries of the exceptions, so that their contracts are known, also to a
        // replay.
        for exception in repeat each exceptions { exempt.insert(entry(for: exception, at: site).anyID) }
        addGeneralGate(GeneralGate(gate: rule, exempt: exempt), replacing: replacing, at: site)
    }

    /// Puts a gate that needs no input in front of every other board.
    ///
    /// For everything else, see ``gateAll(by:with:except:unless:replacing:fileID:line:verdict:)``.
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
    ) -> Gate<GateContract> {
        let question: Gate<GateContract>.Question = { _, ask in
            if isKnown?() != true { ask(input) }
        }
        return Gate(by: entry(for: gate, at: site), asking: input, question, verdict: verdict)
    }

    private func addGate<Contract>(to id: BoardID<Contract>, with gate: AnyGate, _ replacing: Bool, at site: CallSite) {
        checkOwner()
        entry(for: id, at: site).addGate(gate, replacing: replacing, at: site)
    }
}

/// A gate in front of every board except the exempt ones.
struct GeneralGate {
    let gate: AnyGate
    let exempt: Set<AnyBoardID>
}

extension CallSite {
    func failBecauseGateIsSet(_ gate: AnyGate, before behind: String) -> Never {
        fail(
            """
            The gate '\(gate.gateBoard.anyID)' is set in front of \(behind) already. Remove one of the two calls, pass \
            `replacing: true` to replace the first gate, or ask another question.
            """
        )
    }
}
