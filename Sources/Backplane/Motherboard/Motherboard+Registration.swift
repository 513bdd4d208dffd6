extension Motherboard {
    /// Registers how a board is made.
    ///
    /// It is made when first activated, here or on a nested motherboard, whose own it then is.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name trap here.
    ///   - reuse: what a second activation means while the board is live.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering twice traps otherwise.
    ///     Boards that are live stay.
    ///   - make: makes a board for its slot.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func register<Contract, Made: Board<Contract> & AnyObject>(
        _ id: BoardID<Contract>,
        reuse: Reuse = .shared,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = CallSite(fileID, line)
        entry(for: id, at: site).register(SlotBoardFactory(make), reuse: reuse, replacing: replacing, at: site)
    }

    /// Registers how a board that is a struct is made, or one whose type is not known.
    ///
    /// The same as for an object.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name trap here.
    ///   - reuse: what a second activation means while the board is live.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering twice traps otherwise.
    ///     Boards that are live stay.
    ///   - make: makes a board for its slot.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func register<Contract, Made: Board<Contract>>(
        _ id: BoardID<Contract>,
        reuse: Reuse = .shared,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let makeBoxed = { (slot: Slot<Contract>) in BoxedBoard(make(slot)) }
        register(id, reuse: reuse, replacing: replacing, makeBoxed, fileID: fileID, line: line)
    }

    /// Registers how a board is made for each activation from its input, so that the board can keep it as a constant.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name trap here.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering twice traps otherwise.
    ///   - make: makes a board for its slot and the input it is then activated with.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func register<Contract, Made: Board<Contract> & AnyObject>(
        _ id: BoardID<Contract>,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>, Contract.Input) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let registration = InputBoardFactory<Contract> { slot, input in make(slot, input) }
        let site = CallSite(fileID, line)
        entry(for: id, at: site).register(registration, reuse: .perActivation, replacing: replacing, at: site)
    }

    /// Registers how a board that is a struct is made for each activation from its input.
    ///
    /// The same as for an object.
    ///
    /// - Parameters:
    ///   - id: the identity; one name belongs to one contract, and two contracts under one name trap here.
    ///   - replacing: whether an earlier registration of the identity is replaced; registering twice traps otherwise.
    ///   - make: makes a board for its slot and the input it is then activated with.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func register<Contract, Made: Board<Contract>>(
        _ id: BoardID<Contract>,
        replacing: Bool = false,
        _ make: @escaping (Slot<Contract>, Contract.Input) -> Made,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let makeBoxed = { (slot: Slot<Contract>, input: Contract.Input) in BoxedBoard(make(slot, input)) }
        register(id, replacing: replacing, makeBoxed, fileID: fileID, line: line)
    }

    /// Registers a stand-in for a board, instead of what is registered so far and of what is
    /// registered later.
    ///
    /// A later registration of the identity on this motherboard does nothing unless it says
    /// `replacing: true`.
    ///
    /// - Parameters:
    ///   - id: the identity.
    ///   - reuse: what a second activation means while the board is live.
    ///   - make: makes a board for its slot.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    package func registerStandIn<Contract, Made: Board<Contract> & AnyObject>(
        _ id: BoardID<Contract>,
        reuse: Reuse,
        _ make: @escaping (Slot<Contract>) -> Made,
        fileID: StaticString,
        line: UInt
    ) {
        let site = CallSite(fileID, line)
        let registration = SlotBoardFactory(make)
        entry(for: id, at: site)
            .register(registration, reuse: reuse, replacing: true, isStandIn: true, at: site)
    }

    /// Installs features: their boards, gates, flows and links, in this order.
    ///
    /// When all have registered what they consist of, the parents that their links name are
    /// checked: a link that is registered on this motherboard or around it must match each of them.
    /// So modules whose links name one another as parents are installed in one call:
    ///
    /// ```swift
    /// motherboard.install(HomeModule(), CourseModule(loadCourse: api.course))
    /// ```
    ///
    /// Traps when a module of the same type and ``BoardModule/identity-swift.property`` is
    /// installed on this motherboard already, and when a parent is matched by no link.
    ///
    /// - Parameters:
    ///   - module: the feature.
    ///   - others: more of them.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func install<Module: BoardModule, each Other: BoardModule>(
        _ module: Module,
        _ others: repeat each Other,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        checkOwner()
        let site = CallSite(fileID, line)
        let known = links.count
        // A module may install others; then all are checked together.
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
        // A copy, because an identity's hash is foreign code.
        var modules = modules
        site.require(
            modules.insert(ModuleKey(module)).inserted,
            "\(Module.self) is installed on this motherboard already; remove one of the two calls, or give two instances "
                + "that register different boards an `identity` each."
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
            "The link template \"\(template)\" names the parent \"\(parent)\", and no link on this motherboard or around it "
                + "matches that. Register a link for it, and install the module that does so before this one or in the "
                + "same call: install(A(), B())."
        )
    }

    /// Sets what to do, besides answering ``ActivationState/noSuchBoard``, when an unknown identity is activated here or in a
    /// nested motherboard that has no fallback of its own.
    public func registerFallback(_ handler: @escaping (AnyBoardID, Motherboard) -> Void) {
        checkOwner()
        let earlier = fallback
        fallback = handler
        drop(earlier)
    }
}
