extension Motherboard {
    // Disfavored, because the compiler believes that a closure without `return` might return
    // `Never`. Then it could not choose between the two overloads.

    /// Registers an asynchronous closure as a board.
    ///
    /// Each activation runs the closure once, on the motherboard's actor. A closure receives no
    /// commands, so its contract must have none.
    ///
    /// The return value of the closure is the activation's last output. After it, the activation
    /// completes as ``Completion/done``. An error makes the activation fail. Before the end, the
    /// closure may send outputs through its slot, for example its progress. Every activation has
    /// its own outputs, error and cancellation. To receive them separately from other activations,
    /// use ``result(of:with:takingLast:isolation:)`` or ``outputs(of:with:)``.
    ///
    /// ```swift
    /// enum Export: BoardContract {
    ///     typealias Input = Course.ID
    ///     enum Output { case progress(Double), file(URL) }
    /// }
    ///
    /// motherboard.registerTask(Export.id, .queue) { course, slot in
    ///     let pages = try await load(course)
    ///     slot.send(.progress(0.5))
    ///     return .file(try await write(pages))
    /// }
    /// ```
    ///
    /// **Order.** Work starts after everything that its activation caused synchronously has been
    /// delivered, never inside a turn. With ``result(of:with:takingLast:isolation:)`` on macOS 26,
    /// iOS 26 and later, it starts at that point. So work that ends at once needs no hop. Otherwise
    /// it starts one hop later.
    ///
    /// **Cancellation.** Completing an activation cancels its task, or removes it from the line.
    /// Outputs and errors of its work are discarded after that. With ``TaskStrategy/queue``, the
    /// next work starts after the cancelled work has ended.
    ///
    /// - Parameters:
    ///   - id: the board's ID. One name belongs to one contract; two contracts under one name trap
    ///     here.
    ///   - strategy: the effect of an activation while others are running. It applies to all
    ///     activations that use this registration.
    ///   - repeatable: whether ``Motherboard/restore(_:)`` may run the work again, if it was
    ///     running when the snapshot was made. Otherwise the activation is reported as
    ///     ``BoardSnapshot/Obstacle/notRepeatable``.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps.
    ///   - work: the work. It lives as long as the motherboard, so it must not hold an object that
    ///     holds the motherboard. Unless it is `@MainActor`, write it **without a capture list**:
    ///     see ``Slot/task(_:)``.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    @_disfavoredOverload
    public func registerTask<Contract>(
        _ id: BoardID<Contract>,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        repeatable: Bool = false,
        replacing: Bool = false,
        _ work: nonisolated(nonsending) @escaping (Contract.Input, Slot<Contract>) async throws -> Contract.Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Command == Never {
        registerWork(id, strategy, repeatable, replacing, at: CallSite(fileID, line)) { input, slot in
            let output = try await work(input, slot)
            return { $0.complete(sending: output) }
        }
    }

    /// Registers an asynchronous closure as a board that sends no outputs.
    ///
    /// Everything else is the same as for
    /// ``registerTask(_:_:repeatable:replacing:_:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - id: the board's ID. One name belongs to one contract; two contracts under one name trap
    ///     here.
    ///   - strategy: the effect of an activation while others are running. It applies to all
    ///     activations that use this registration.
    ///   - repeatable: whether ``Motherboard/restore(_:)`` may run the work again, if it was
    ///     running when the snapshot was made. Otherwise the activation is reported as
    ///     ``BoardSnapshot/Obstacle/notRepeatable``.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps.
    ///   - work: the work. It lives as long as the motherboard, so it must not hold an object that
    ///     holds the motherboard. Unless it is `@MainActor`, write it **without a capture list**:
    ///     see ``Slot/task(_:)``.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func registerTask<Contract>(
        _ id: BoardID<Contract>,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        repeatable: Bool = false,
        replacing: Bool = false,
        _ work: nonisolated(nonsending) @escaping (Contract.Input, Slot<Contract>) async throws -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Output == Never, Contract.Command == Never {
        registerWork(id, strategy, repeatable, replacing, at: CallSite(fileID, line)) { input, slot in
            try await work(input, slot)
            return { $0.complete() }
        }
    }

    /// Registers an asynchronous closure as a board, for an object that is held weakly.
    ///
    /// The closure receives the object and keeps it alive while the work runs. If the object is
    /// released before the work starts, the activation completes as ``Completion/cancelled``.
    /// Everything else is the same as for `registerTask(_:_:)` without an object.
    ///
    /// ```swift
    /// motherboard.registerTask(Export.id, weak: self, .queue) { exporter, course, slot in
    ///     .file(try await exporter.write(course))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board's ID. One name belongs to one contract; two contracts under one name trap
    ///     here.
    ///   - target: the object, which is held weakly.
    ///   - strategy: the effect of an activation while others are running. It applies to all
    ///     activations that use this registration.
    ///   - repeatable: whether ``Motherboard/restore(_:)`` may run the work again, if it was
    ///     running when the snapshot was made. Otherwise the activation is reported as
    ///     ``BoardSnapshot/Obstacle/notRepeatable``.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps.
    ///   - work: the work. Unless it is `@MainActor`, write it **without a capture list**: see
    ///     ``Slot/task(_:)``.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    @_disfavoredOverload
    public func registerTask<Contract, Target: AnyObject>(
        _ id: BoardID<Contract>,
        weak target: Target,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        repeatable: Bool = false,
        replacing: Bool = false,
        _ work:
            nonisolated(nonsending) @escaping (Target, Contract.Input, Slot<Contract>) async throws -> Contract.Output,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Command == Never {
        // Not a capture list: see `Slot.task`.
        let reference = WeakReference(target)
        registerWork(id, strategy, repeatable, replacing, at: CallSite(fileID, line)) { input, slot in
            let output = try await work(try reference.target(), input, slot)
            return { $0.complete(sending: output) }
        }
    }

    /// Registers a closure as a board that sends no outputs, for an object that is held weakly.
    ///
    /// Everything else is the same as for a closure that sends outputs.
    ///
    /// - Parameters:
    ///   - id: the board's ID. One name belongs to one contract; two contracts under one name trap
    ///     here.
    ///   - target: the object, which is held weakly.
    ///   - strategy: the effect of an activation while others are running. It applies to all
    ///     activations that use this registration.
    ///   - repeatable: whether ``Motherboard/restore(_:)`` may run the work again, if it was
    ///     running when the snapshot was made. Otherwise the activation is reported as
    ///     ``BoardSnapshot/Obstacle/notRepeatable``.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps.
    ///   - work: the work. Unless it is `@MainActor`, write it **without a capture list**: see
    ///     ``Slot/task(_:)``.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func registerTask<Contract, Target: AnyObject>(
        _ id: BoardID<Contract>,
        weak target: Target,
        _ strategy: TaskStrategy<Contract.Input> = .concurrent(),
        repeatable: Bool = false,
        replacing: Bool = false,
        _ work: nonisolated(nonsending) @escaping (Target, Contract.Input, Slot<Contract>) async throws -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Output == Never, Contract.Command == Never {
        let reference = WeakReference(target)
        registerWork(id, strategy, repeatable, replacing, at: CallSite(fileID, line)) { input, slot in
            try await work(try reference.target(), input, slot)
            return { $0.complete() }
        }
    }

    private func registerWork<Contract>(
        _ id: BoardID<Contract>,
        _ strategy: TaskStrategy<Contract.Input>,
        _ isRepeatable: Bool,
        _ replacing: Bool,
        at site: CallSite,
        _ work: @escaping TaskBoard<Contract>.Work
    ) where Contract.Command == Never {
        let line = TaskLine<Contract>(strategy, at: site)
        let factory = InputBoardFactory<Contract>(isRepeatable: isRepeatable) { slot, input in
            TaskBoard(slot: slot, input: input, line: line, work: work)
        }
        entry(for: id, at: site).register(factory, reuse: .perActivation, replacing: replacing, at: site)
    }
}

/// A weak reference to an object, for closures that must not have a capture list.
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
