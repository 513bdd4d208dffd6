#if NATS
    public import Backplane

    extension Motherboard {
        /// Registers a board that runs on a worker, on this machine or on another one.
        ///
        /// Nothing else changes: flows, gates,
        /// `result(of:)`, commands, completion
        /// and supersession are those of any board. Only the assembly of an app knows where a board
        /// runs.
        ///
        /// The job is done at least once, and outputs and the completion arrive at most once and in
        /// order. If the worker ends, another one begins anew; outputs that have arrived do not
        /// arrive again. Completing or superseding the activation cancels the job wherever it is.
        /// See <doc:BeyondOneMachine>.
        ///
        /// The board fails with a ``NATSError``, for example if its input is too large, if the
        /// queue is full, or if no worker serves this version.
        ///
        /// - Parameters:
        ///   - id: the board's ID, by default the one of its contract. Workers serve it under the
        ///     same name.
        ///   - version: the version of the contract. Raise it with each change that older workers
        ///     cannot read. Jobs reach only workers that serve this version.
        ///   - connection: the connection to the server.
        ///   - deadline: the longest time without any sign of the job, before a worker begins it
        ///     and later. It must be longer than the `heartbeat` of the workers.
        ///   - reuse: the effect of a second activation while the board is live.
        ///   - replacing: whether to replace an earlier registration of the ID.
        ///   - fileID: the caller's file, for the trap message.
        ///   - line: the caller's line, for the trap message.
        public func registerRemote<Contract>(
            _ id: BoardID<Contract> = Contract.id,
            version: Int = 1,
            through connection: NATSConnection,
            deadline: Duration = .seconds(30),
            reuse: BoardReuse = .shared,
            replacing: Bool = false,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) where Contract.Input: Codable, Contract.Output: Codable, Contract.Command: Codable {
            let coding = Coding<Contract>.ofInput()
            let make = { (slot: Slot<Contract>) in
                RemoteBoard(slot: slot, version: version, coding: coding, deadline: deadline, connection: connection)
            }
            register(id, reuse: reuse, replacing: replacing, make, fileID: fileID, line: line)
        }

        /// Registers a board without input that runs on a worker.
        ///
        /// Everything else is the same as for a board with an input.
        public func registerRemote<Contract>(
            _ id: BoardID<Contract> = Contract.id,
            version: Int = 1,
            through connection: NATSConnection,
            deadline: Duration = .seconds(30),
            reuse: BoardReuse = .shared,
            replacing: Bool = false,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) where Contract.Input == Void, Contract.Output: Codable, Contract.Command: Codable {
            let coding = Coding<Contract>.withoutInput()
            let make = { (slot: Slot<Contract>) in
                RemoteBoard(slot: slot, version: version, coding: coding, deadline: deadline, connection: connection)
            }
            register(id, reuse: reuse, replacing: replacing, make, fileID: fileID, line: line)
        }
    }
#endif
