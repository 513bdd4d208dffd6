extension Motherboard {
    // Disfavored because, of a closure without `return`, the compiler believes that it might return `Never`, and so would not
    // know which of the two is meant.

    /// Registers an asynchronous closure as a board: each activation does the work once, on the motherboard's actor.
    ///
    /// A closure obeys no commands, so its contract has none.
    ///
    /// The closure's return value is the activation's last output, after which it completes as ``Completion/done``. An error
    /// fails it. Until then it may send outputs through its slot, progress for example. Every activation has its own outputs,
    /// error and cancellation, heard apart from others by ``result(of:with:taking:isolation:)`` or ``outputs(of:with:)``.
    ///
    /// ```swift
    /// enum Export: BoardContract {
    ///     typealias Input = Course.ID
    ///     enum Output { case progress(Double), file(URL) }
    /// }
    ///
    /// motherboard.registerTask(.export, .queue) { course, slot in
    ///     let pages = try await load(course)
    ///     slot.send(.progress(0.5))
    ///     return .file(try await write(pages))
    /// }
    /// ```
    ///
    /// **Order.** Work begins when everything that its activation has caused at once has been
    /// delivered, never inside a turn. With ``result(of:with:taking:isolation:)`` it begins then, on
    /// systems from macOS 26 and iOS 26 on, so that work that ends at once needs no hop; otherwise
    /// it begins one hop later.
    ///
    /// **Cancellation.** Completing an activation cancels its task, or takes it out of the line; whatever its work does then
    /// reaches nobody. With ``TaskStrategy/queue`` the next one begins when the cancelled work has really ended.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name trap here.
    ///   - strategy: what an activation means while others are at work, for all activations made from this registration.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering twice traps otherwise.
    ///   - work: the work. It lives as long as the motherboard, so it must not hold what holds that. Unless it is `@MainActor`,
    ///     write it **without a capture list**: see ``Slot/task(_:)``.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    @_disfavoredOverload
    public func registerTask<Contract>(
        _ id: BoardID<Contract>,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        replacing: Bool = false,
        _ work: nonisolated(nonsending) @escaping (Contract.Input, Slot<Contract>) async throws -> Contract.Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Command == Never {
        registerWork(id, strategy, replacing, at: CallSite(fileID, line)) { input, slot in
            let output = try await work(input, slot)
            return { $0.complete(sending: output) }
        }
    }

    /// Registers an asynchronous closure as a board that sends nothing: see ``registerTask(_:_:replacing:_:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name trap here.
    ///   - strategy: what an activation means while others are at work, for all activations made from this registration.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering twice traps otherwise.
    ///   - work: the work. It lives as long as the motherboard, so it must not hold what holds that. Unless it is `@MainActor`,
    ///     write it **without a capture list**: see ``Slot/task(_:)``.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func registerTask<Contract>(
        _ id: BoardID<Contract>,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        replacing: Bool = false,
        _ work: nonisolated(nonsending) @escaping (Contract.Input, Slot<Contract>) async throws -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Output == Never, Contract.Command == Never {
        registerWork(id, strategy, replacing, at: CallSite(fileID, line)) { input, slot in
            try await work(input, slot)
            return { $0.complete() }
        }
    }

    /// Registers an asynchronous closure as a board, for an object that it does not keep alive.
    ///
    /// The work is given the object, which it keeps for as long as it runs. Where the object has
    /// gone when the work would begin, the activation completes as ``Completion/cancelled``.
    /// Everything else is as with `registerTask(_:_:)` without an object.
    ///
    /// ```swift
    /// motherboard.registerTask(.export, weak: self, .queue) { exporter, course, slot in
    ///     .file(try await exporter.write(course))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name
    ///     trap here.
    ///   - target: the object, which is held weakly.
    ///   - strategy: what an activation means while others are at work, for all activations made
    ///     from this registration.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering
    ///     twice traps otherwise.
    ///   - work: the work. Unless it is `@MainActor`, write it **without a capture list**: see
    ///     ``Slot/task(_:)``.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    @_disfavoredOverload
    public func registerTask<Contract, Target: AnyObject>(
        _ id: BoardID<Contract>,
        weak target: Target,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        replacing: Bool = false,
        _ work:
            nonisolated(nonsending) @escaping (Target, Contract.Input, Slot<Contract>) async throws -> Contract.Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Command == Never {
        // Not a capture list: see `Slot.task`.
        let reference = WeakReference(target)
        registerWork(id, strategy, replacing, at: CallSite(fileID, line)) { input, slot in
            let output = try await work(try reference.target(), input, slot)
            return { $0.complete(sending: output) }
        }
    }

    /// Registers a closure that sends nothing as a board, for an object that it does not keep
    /// alive.
    ///
    /// The same as for a closure that sends something.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name
    ///     trap here.
    ///   - target: the object, which is held weakly.
    ///   - strategy: what an activation means while others are at work, for all activations made
    ///     from this registration.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering
    ///     twice traps otherwise.
    ///   - work: the work. Unless it is `@MainActor`, write it **without a capture list**: see
    ///     ``Slot/task(_:)``.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func registerTask<Contract, Target: AnyObject>(
        _ id: BoardID<Contract>,
        weak target: Target,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        replacing: Bool = false,
        _ work: nonisolated(nonsending) @escaping (Target, Contract.Input, Slot<Contract>) async throws -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Output == Never, Contract.Command == Never {
        let reference = WeakReference(target)
        registerWork(id, strategy, replacing, at: CallSite(fileID, line)) { input, slot in
            try await work(try reference.target(), input, slot)
            return { $0.complete() }
        }
    }

    private func registerWork<Contract>(
        _ id: BoardID<Contract>,
        _ strategy: TaskStrategy<Contract.Input>,
        _ replacing: Bool,
        at site: CallSite,
        _ work: @escaping TaskBoard<Contract>.Work
    ) where Contract.Command == Never {
        let line = TaskLine(strategy, at: site)
        let make = { (slot: Slot<Contract>, input: Contract.Input) in
            TaskBoard(slot: slot, input: input, line: line, work: work)
        }
        register(id, replacing: replacing, make, fileID: site.fileID, line: site.line)
    }
}

/// An object that is not kept alive, for closures that must not have a capture list.
private final class WeakReference<Target: AnyObject> {
    private weak var object: Target?

    init(_ object: Target) {
        self.object = object
    }

    func target() throws -> Target {
        guard let object else { throw CancellationError() }
        return object
    }
}
