/// A chain of boards, each activated with the output of the previous one.
///
/// Create it with `->>>`, and register it with ``Motherboard/registerFlowSteps(_:fileID:line:)``.
public struct FlowSteps<Last: BoardContract> {
    let last: BoardID<Last>
    let draw: [(Motherboard, CallSite) -> Registration]
}

/// The precedence of `->>>`, which associates chains of boards from the left.
precedencegroup FlowStepPrecedence {
    associativity: left
    higherThan: AssignmentPrecedence
}

infix operator ->>> : FlowStepPrecedence

/// Creates a chain of two boards, the second activated with the output of the first.
///
/// The output type of the first must equal the input type of the second, or the code does not
/// compile.
public func ->>> <First, Second>(
    first: BoardID<First>,
    second: BoardID<Second>
) -> FlowSteps<Second> where First.Output == Second.Input {
    FlowSteps(last: second, draw: [step(from: first, to: second)])
}

/// Creates a chain with one more board at its end.
public func ->>> <Last, Next>(
    steps: FlowSteps<Last>,
    next: BoardID<Next>
) -> FlowSteps<Next> where Last.Output == Next.Input {
    FlowSteps(last: next, draw: steps.draw + [step(from: steps.last, to: next)])
}

private func step<First, Second>(
    from first: BoardID<First>,
    to second: BoardID<Second>
) -> (Motherboard, CallSite) -> Registration where First.Output == Second.Input {
    { motherboard, site in
        motherboard.listen(to: first, with: StepFlow(to: motherboard.entry(for: second, at: site)), at: site)
    }
}
