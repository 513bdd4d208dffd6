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
        record(for: id, at: site).register(SlotRegistration(make), reuse: reuse, replacing: replacing, at: site)
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
        let registration = InputRegistration<Contract> { slot, input in make(slot, input) }
        let site = CallSite(fileID, line)
        record(for: id, at: site).register(registration, reuse: .perActivation, replacing: replacing, at: site)
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

    /// Installs a feature: its boards, gates, flows and links.
    ///
    /// Installing a type of module twice on one motherboard traps.
    ///
    /// - Parameters:
    ///   - module: the feature.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func install<Module: BoardModule>(
        _ module: Module,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let isNew = modules.insert(ObjectIdentifier(Module.self)).inserted
        CallSite(fileID, line).require(
            isNew,
            "\(Module.self) is installed on this motherboard already; remove one of the two calls."
        )
        module.register(on: self)
    }

    /// Sets what to do, besides answering ``ActivationState/noSuchBoard``, when an unknown identity is activated here or in a
    /// nested motherboard that has no fallback of its own.
    public func registerFallback(_ handler: @escaping (AnyBoardID, Motherboard) -> Void) {
        fallback = handler
    }
}
