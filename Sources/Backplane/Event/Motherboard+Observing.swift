extension Motherboard {
    /// Observes everything that happens on this motherboard and inside it, as it happens.
    ///
    /// The observer is called synchronously, often during a delivery. It must not change anything.
    ///
    /// **Without observers.** While a tree of motherboards has no such observer, a debug build of
    /// the package prints events that report problems: dropped messages, messages that nothing
    /// handled, unknown IDs, and denials and failures that nothing receives. Each is one line on
    /// standard error. To turn this off, create the motherboard with `printsProblems: false`, or
    /// run the process with the environment variable `BACKPLANE_PRINTS_PROBLEMS=0`.
    ///
    /// - Parameter observer: the closure that receives each event; the motherboard holds it.
    /// - Returns: the registration, for ``remove(_:)``.
    @discardableResult
    public func observe(_ observer: @escaping (BoardEvent) -> Void) -> Registration {
        observeLiveBoards { event, _, _ in observer(event) }
    }

    /// Observes events with the values that were sent; the value is `()` for an event without one.
    ///
    /// The values are inputs, outputs, commands, actions and completions. Everything else is the
    /// same as for ``observe(_:)``.
    @discardableResult
    package func observePayloads(_ observer: @escaping (BoardEvent, Any) -> Void) -> Registration {
        observeLiveBoards { event, _, payload in observer(event, payload) }
    }

    func observeLiveBoards(_ observer: @escaping (BoardEvent, AnyLiveBoard?, Any) -> Void) -> Registration {
        checkOwner()
        let observer = Observer(tell: observer)
        observers = observers + [observer]
        scheduler.observerCount += 1
        return Registration { [weak self, weak observer] in
            guard let self, let observer, !observer.isRemoved else { return }
            observer.isRemoved = true
            scheduler.observerCount -= 1
            let earlier = observers
            observers = observers.filter { $0 !== observer }
            drop(earlier)
        }
    }

    private func raise(_ event: BoardEvent, _ liveBoard: AnyLiveBoard?, _ payload: Any) {
        if scheduler.observerCount == 0 { return scheduler.printProblem(event) }
        var level: Motherboard? = self
        while let motherboard = level {
            for observer in motherboard.observers where !observer.isRemoved { observer.tell(event, liveBoard, payload) }
            level = motherboard.parent
        }
    }

    /// Notifies the observers of an event on this motherboard.
    ///
    /// If there are none in the tree, prints an event that is a problem.
    func raise(
        _ kind: BoardEvent.Kind,
        of liveBoard: AnyLiveBoard? = nil,
        board: AnyBoardID? = nil,
        isDerived: Bool? = nil,
        isPrivate: Bool = false,
        gate: AnyBoardID? = nil,
        isProblem: Bool = false,
        payload: @autoclosure () -> Any = (),
        _ message: () -> String
    ) {
        guard scheduler.observerCount > 0 || (isProblem && scheduler.printsProblems) else { return }
        let event = BoardEvent(
            kind,
            board: liveBoard?.sender ?? board,
            instance: liveBoard?.instance,
            enclosing: enclosing,
            isDerived: isDerived ?? scheduler.isHandlingFlow,
            isPrivate: liveBoard?.isPrivate ?? isPrivate,
            gate: gate,
            message: message()
        )
        raise(event, liveBoard, payload())
    }
}

/// An observer of a motherboard.
final class Observer {
    let tell: (BoardEvent, AnyLiveBoard?, Any) -> Void
    /// Whether the observer was removed; every notification checks this.
    ///
    /// An event in progress iterates over the observers of the moment when it happened. So a
    /// removal must be visible on each observer.
    var isRemoved = false

    init(tell: @escaping (BoardEvent, AnyLiveBoard?, Any) -> Void) {
        self.tell = tell
    }
}
