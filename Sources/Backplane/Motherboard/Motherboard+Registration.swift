extension Motherboard {
    /// Registers the factory of a board.
    ///
    /// The board is made at its first activation, on this motherboard or on a nested one. It
    /// belongs to the motherboard that activates it.
    ///
    /// ```swift
    /// motherboard.register { slot in DashboardBoard(slot: slot) }
    /// motherboard.activate(Dashboard.id, with: user)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the board's ID, by default the one of its contract. One name belongs to one
    ///     contract; two contracts under one name trap here.
    ///   - reuse: the effect of a second activation while the board is live.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps. Live boards stay.
    ///   - make: makes a board for its slot.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func register<Contract, Made: Board<Contract> & AnyObject>(
        _ id: BoardID<Contract> = Contract.id,
        reuse: BoardReuse = .shared,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = CallSite(fileID, line)
        entry(for: id, at: site).register(SlotBoardFactory(make), reuse: reuse, replacing: replacing, at: site)
    }

    /// Registers the factory of a board that is a struct, or whose concrete type is unknown.
    ///
    /// Everything else is the same as for a class.
    ///
    /// - Parameters:
    ///   - id: the board's ID, by default the one of its contract. One name belongs to one
    ///     contract; two contracts under one name trap here.
    ///   - reuse: the effect of a second activation while the board is live.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps. Live boards stay.
    ///   - make: makes a board for its slot.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func register<Contract, Made: Board<Contract>>(
        _ id: BoardID<Contract> = Contract.id,
        reuse: BoardReuse = .shared,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let makeBoxed = { (slot: Slot<Contract>) in BoxedBoard(make(slot)) }
        register(id, reuse: reuse, replacing: replacing, makeBoxed, fileID: fileID, line: line)
    }

    /// Registers a factory that makes a board from the input of each activation.
    ///
    /// The board can store its input as a constant.
    ///
    /// - Parameters:
    ///   - id: the board's ID, by default the one of its contract. One name belongs to one
    ///     contract; two contracts under one name trap here.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps.
    ///   - make: makes a board for its slot and the input that then activates it.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func register<Contract, Made: Board<Contract> & AnyObject>(
        _ id: BoardID<Contract> = Contract.id,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>, Contract.Input) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let registration = InputBoardFactory<Contract> { slot, input in make(slot, input) }
        let site = CallSite(fileID, line)
        entry(for: id, at: site).register(registration, reuse: .perActivation, replacing: replacing, at: site)
    }

    /// Registers a factory that makes a struct board from the input of each activation.
    ///
    /// Everything else is the same as for a class.
    ///
    /// - Parameters:
    ///   - id: the board's ID, by default the one of its contract. One name belongs to one
    ///     contract; two contracts under one name trap here.
    ///   - replacing: whether to replace an earlier registration of the ID. Otherwise a second
    ///     registration traps.
    ///   - make: makes a board for its slot and the input that then activates it.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func register<Contract, Made: Board<Contract>>(
        _ id: BoardID<Contract> = Contract.id,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>, Contract.Input) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let makeBoxed = { (slot: Slot<Contract>, input: Contract.Input) in BoxedBoard(make(slot, input)) }
        register(id, replacing: replacing, makeBoxed, fileID: fileID, line: line)
    }

    /// Registers a stand-in for a board, instead of earlier and later registrations.
    ///
    /// A later registration of the ID on this motherboard, and any on a nested one, does nothing
    /// unless it passes `replacing: true`.
    ///
    /// - Parameters:
    ///   - id: the board's ID.
    ///   - reuse: the effect of a second activation while the board is live.
    ///   - make: makes a board for its slot.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    package func registerStandIn<Contract, Made: Board<Contract> & AnyObject>(
        _ id: BoardID<Contract>,
        reuse: BoardReuse,
        _ make: @escaping (Slot<Contract>) -> Made,
        fileID: StaticString,
        line: UInt
    ) {
        let site = CallSite(fileID, line)
        let registration = SlotBoardFactory(make)
        entry(for: id, at: site)
            .register(registration, reuse: reuse, replacing: true, isStandIn: true, at: site)
    }

    /// Installs modules in the given order: each registers its boards, gates, flows and links.
    ///
    /// After all modules have registered, the call checks the parents of their links. Each parent
    /// must match a link that is registered on this motherboard or an ancestor. So if links of
    /// several modules have each other as parents, install these modules in one call:
    ///
    /// ```swift
    /// motherboard.install(HomeModule(), CourseModule(loadCourse: api.course))
    /// ```
    ///
    /// The call traps if a module with the same type and ``BoardModule/identity-swift.property`` is
    /// already installed on this motherboard. It also traps if no link matches a parent.
    ///
    /// - Parameters:
    ///   - module: the first module.
    ///   - others: more modules.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func install<Module: BoardModule, each Other: BoardModule>(
        _ module: Module,
        _ others: repeat each Other,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        checkOwner()
        let site = CallSite(fileID, line)
        let known = links.routes.count
        // A module may install other modules. Then all of them are checked together.
        let isOutermost = !isInstalling
        isInstalling = true
        add(module, at: site)
        repeat add(each others, at: site)
        guard isOutermost else { return }
        isInstalling = false
        for (template, target) in links.routes.dropFirst(known) {
            for parent in target.parents { requireLink(matching: parent, of: template, at: site) }
        }
    }

    private func add<Module: BoardModule>(_ module: Module, at site: CallSite) {
        // A copy, because hashing an identity runs user code.
        var modules = modules
        site.require(
            modules.insert(ModuleKey(module)).inserted,
            "\(Module.self) is installed on this motherboard already; remove one of the two calls, or give each "
                + "instance its own `identity` if they register different boards."
        )
        self.modules = modules
        module.register(on: self)
    }

    private func requireLink(matching parent: LinkTemplate, of template: LinkTemplate, at site: CallSite) {
        var level: Motherboard? = self
        while let motherboard = level {
            if motherboard.links.matchesAll(parent) { return }
            level = motherboard.parent
        }
        site.fail(
            "The link template \"\(template)\" names the parent \"\(parent)\", and no link on this motherboard or an "
                + "ancestor matches it. Register a link for it. Install the module with that link before this one, or "
                + "in the same call: install(A(), B())."
        )
    }

    /// Registers a handler that runs when an unknown ID is activated.
    ///
    /// The activation still ends as ``ActivationState/noSuchBoard``. The handler also serves nested
    /// motherboards that have no handler of their own. A new handler replaces the previous one.
    public func registerFallback(_ handler: @escaping (AnyBoardID, Motherboard) -> Void) {
        checkOwner()
        let earlier = fallback
        fallback = handler
        drop(earlier)
    }
}
