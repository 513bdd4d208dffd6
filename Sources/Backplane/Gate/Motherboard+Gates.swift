extension Motherboard {
    /// Puts a board in front of another: activating `id` first activates the gate, and waits for its verdict.
    ///
    /// The gate opens on its own typed output and on nothing else. If it ends without opening, in whatever way, those
    /// waiting are ``ActivationState/denied(_:)`` and the board behind is never made: gates fail closed. Activations that wait at
    /// one gate share its run and enter in order, each with its own input. Gates are inherited by nested motherboards and
    /// are never gated themselves. Setting a second gate for a board replaces the first.
    ///
    /// The gate is asked at every activation. A board that knows the answer already, because somebody is signed in, sends
    /// it from ``Board/activate(with:)``, and those waiting enter before ``activate(_:with:)`` returns. Opening a gate
    /// does not end its board; that is the board's own affair.
    ///
    /// ```swift
    /// motherboard.gate(.course, by: .login) { output in
    ///     switch output { case .signedIn: .open }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board behind the gate.
    ///   - gate: the board that decides.
    ///   - input: what the gate is activated with.
    ///   - verdict: what an output of the gate means for those waiting.
    public func gate<Behind, Front>(
        _ id: BoardID<Behind>,
        by gate: BoardID<Front>,
        with input: Front.Input,
        _ verdict: @escaping (Front.Output) -> GateVerdict
    ) {
        let record = record(for: id)
        // Spoken of from now on, also by who looks at the motherboard: in a graph, in a replay.
        _ = self.record(for: gate)
        record.guardEntrance(with: TypedGate(gate, input: input, verdict: verdict))
    }

    /// Puts a board that needs no input in front of another: see ``gate(_:by:with:_:)``.
    public func gate<Behind, Front>(
        _ id: BoardID<Behind>,
        by gate: BoardID<Front>,
        _ verdict: @escaping (Front.Output) -> GateVerdict
    ) where Front.Input == Void {
        self.gate(id, by: gate, with: (), verdict)
    }

    /// Puts one board in front of every other, here and on nested motherboards, but for those excepted.
    ///
    /// A gate of a board's own, wherever up the chain it is set, is in force instead of the general one. Of general gates
    /// the nearest up the chain that does not except the board is in force. The gate is never in front of itself. Setting a second
    /// general gate replaces the first. Otherwise see ``gate(_:by:with:_:)``.
    ///
    /// ```swift
    /// motherboard.gateAll(by: .login, except: .catalogue, .help) { output in
    ///     switch output { case .signedIn: .open }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - gate: the board that decides.
    ///   - input: what the gate is activated with.
    ///   - exceptions: boards that are activated without being asked for.
    ///   - verdict: what an output of the gate means for those waiting.
    public func gateAll<Front, each Exception>(
        by gate: BoardID<Front>,
        with input: Front.Input,
        except exceptions: repeat BoardID<each Exception>,
        verdict: @escaping (Front.Output) -> GateVerdict
    ) {
        var exempt: Set = [record(for: gate).anyID]
        for exception in repeat each exceptions { exempt.insert(AnyBoardID(exception)) }
        guardAll(GeneralGate(gate: TypedGate(gate, input: input, verdict: verdict), exempt: exempt))
    }

    /// Puts a board that needs no input in front of every other: see ``gateAll(by:with:except:verdict:)``.
    public func gateAll<Front, each Exception>(
        by gate: BoardID<Front>,
        except exceptions: repeat BoardID<each Exception>,
        verdict: @escaping (Front.Output) -> GateVerdict
    ) where Front.Input == Void {
        gateAll(by: gate, with: (), except: repeat each exceptions, verdict: verdict)
    }
}

/// A gate in front of every board but some.
struct GeneralGate {
    let gate: Gate
    let exempt: Set<AnyBoardID>
}
