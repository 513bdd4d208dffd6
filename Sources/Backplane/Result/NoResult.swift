/// The return types of overloads that stop a call of `result(of:)` from compiling.
///
/// ``Motherboard/result(of:with:taking:isolation:)`` has no result for a board whose `Output` is
/// `Never`: it could only throw an error. With the overloads below, such a call is ambiguous and
/// does not compile. The compiler then lists the candidates, which are in a file with this name.
/// The type is hidden from the documentation, because there is nothing to call.
@_documentation(visibility: internal)
public enum NoResult {
    /// The reason: the board's `Output` is `Never`.
    public enum BecauseTheOutputIsNever {}
    /// The remedy: activate the board instead.
    public enum ActivateTheBoardInstead {}
}

// Unavailable declarations do not work here: the compiler skips them and takes the general
// function. Between two equal candidates the compiler cannot choose.
extension Motherboard {
    /// Does not compile when called, because a board whose `Output` is `Never` has no result.
    ///
    /// See ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.BecauseTheOutputIsNever where Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }

    /// Does not compile when called, because a board whose `Output` is `Never` has no result.
    ///
    /// See ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        with input: Contract.Input,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.ActivateTheBoardInstead where Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }

    /// Does not compile when called, because a board whose `Output` is `Never` has no result.
    ///
    /// See ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.BecauseTheOutputIsNever where Contract.Input == Void, Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }

    /// Does not compile when called, because a board whose `Output` is `Never` has no result.
    ///
    /// See ``NoResult``.
    @_documentation(visibility: internal)
    public func result<Contract>(
        of id: BoardID<Contract>,
        taking taken: TakenOutput = .first,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> NoResult.ActivateTheBoardInstead where Contract.Input == Void, Contract.Output == Never {
        throw BoardError.completedWithoutOutput(AnyBoardID(id))
    }
}
