/// What asking a board that sends nothing would give: nothing, so that it does not compile.
///
/// ``Motherboard/result(of:with:taking:isolation:)`` of a board whose `Output` is `Never` would wait for an error. The call is refused as
/// ambiguous instead, and the candidates that the compiler then lists are in a file of this name. Kept out of the documentation,
/// where there is nothing to be called.
@_documentation(visibility: internal)
public enum NoResult {
    /// Why there is none.
    public enum BecauseTheOutputIsNever {}
    /// What to do about it.
    public enum ActivateTheBoardInstead {}
}

// Declarations marked unavailable would not do: the compiler passes over them in favour of the general one. Of two that are
// equally good it can choose neither.
extension Motherboard {
    /// Does not compile when called: a board whose `Output` is `Never` has no result, see ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.BecauseTheOutputIsNever where Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }

    /// Does not compile when called: a board whose `Output` is `Never` has no result, see ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.ActivateTheBoardInstead where Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }

    /// Does not compile when called: a board whose `Output` is `Never` has no result, see ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.BecauseTheOutputIsNever where Contract.Input == Void, Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }

    /// Does not compile when called: a board whose `Output` is `Never` has no result, see ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.ActivateTheBoardInstead where Contract.Input == Void, Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }
}
