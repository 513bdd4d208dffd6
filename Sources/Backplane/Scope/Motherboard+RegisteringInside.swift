import BackplaneConcurrency

extension Motherboard {
    /// Registers the factory of a board inside a scope, and declares the board there.
    ///
    /// The board is made inside the scope, on the nested motherboard of the scope's board. Its
    /// factory receives the scope's input, for example an account. So one call replaces
    /// ``declare(_:_:inside:fileID:line:)`` here and a registration inside the scope:
    ///
    /// ```swift
    /// motherboard.registerScope(Session.id, enteredBy: Login.id) { $0 }
    /// motherboard.register(inside: Session.id) { slot, account in
    ///     CourseBoard(slot: slot, account: account)
    /// }
    /// motherboard.activate(Course.id, with: "abc123")
    /// ```
    ///
    /// The scope keeps its input until it ends. Register the board before the scope is entered.
    ///
    /// - Parameters:
    ///   - id: the board's ID, by default the one of its contract. One name belongs to one
    ///     contract; two contracts under one name trap here.
    ///   - scope: the scope's board. The board must not be declared inside a scope already.
    ///   - reuse: the effect of a second activation while the board is live.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps. Live boards stay.
    ///   - make: makes a board for its slot and the scope's input.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func register<Contract, Scope, Made: Board<Contract>>(
        _ id: BoardID<Contract> = Contract.id,
        inside scope: BoardID<Scope>,
        reuse: BoardReuse = .shared,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>, Scope.Input) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = CallSite(fileID, line)
        let (entry, scopeEntry) = (entry(for: id, at: site), entry(for: scope, at: site))
        entry.register(
            ScopedBoardFactory<Contract, Scope>(inside: scope, at: site) { boardObject(make($0, $1)) },
            reuse: reuse,
            replacing: replacing,
            at: site
        )
        scheduler.keptInputs.insert(scope.name)
        if !replacing || entry.ownRoute == nil { place(entry, inside: scopeEntry, at: site) }
    }

    /// Returns the input of the scope around this motherboard; `nil` if the scope did not keep it.
    fileprivate func input<Scope>(of scope: BoardID<Scope>) -> Scope.Input? {
        var level: Motherboard? = self
        while let motherboard = level, let parentEntry = motherboard.parentEntry {
            if parentEntry.name == scope.name {
                guard let parentEntry = parentEntry.typed(as: scope) else { return nil }
                let liveBoard = parentEntry.liveBoards.first { $0.number == motherboard.level.parentNumber }
                return liveBoard.flatMap { uncheckedDowncast($0, to: LiveBoard<Scope>.self).keptInput }
            }
            level = motherboard.parent
        }
        return nil
    }
}

/// Returns a board as an object, which a struct is boxed in.
private func boardObject<Made: Board>(_ board: Made) -> any Board<Made.Contract> & AnyObject {
    // Not boxed, so that a board that outlives its end is found.
    let object = Made.self is AnyObject.Type ? board as? any Board<Made.Contract> & AnyObject : nil
    return object ?? BoxedBoard(board)
}

/// The factory of boards inside a scope that are made from the scope's input.
private final class ScopedBoardFactory<Contract: BoardContract, Scope: BoardContract>: BoardFactory<Contract> {
    private let scope: BoardID<Scope>
    private let site: CallSite
    private let make: (Slot<Contract>, Scope.Input) -> any Board<Contract> & AnyObject

    init(
        inside scope: BoardID<Scope>,
        at site: CallSite,
        _ make: @escaping (Slot<Contract>, Scope.Input) -> any Board<Contract> & AnyObject
    ) {
        self.scope = scope
        self.site = site
        self.make = make
    }

    override func makeBoard(for slot: Slot<Contract>, _ input: Contract.Input) -> any Board<Contract> & AnyObject {
        // The route to the board leads to a motherboard inside the scope.
        guard let scopeInput = slot.liveBoard.entry.motherboard.input(of: scope) else {
            site.fail(
                "Board '\(slot.id)' was registered inside '\(scope)' while that scope was live. Register it before the "
                    + "scope is entered."
            )
        }
        return make(slot, scopeInput)
    }
}
