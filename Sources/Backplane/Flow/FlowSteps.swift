/// Boards in a row, each activated by the output of the one before: made with `->>>`, drawn with
/// ``Motherboard/registerFlowSteps(_:fileID:line:)``.
public struct FlowSteps<Last: BoardContract> {
    let last: BoardID<Last>
    let draw: [(Motherboard, CallSite) -> FlowToken]
}

/// The order in which chains of boards are read: from the left.
precedencegroup FlowStepPrecedence {
    associativity: left
    higherThan: AssignmentPrecedence
}

infix operator ->>> : FlowStepPrecedence

/// A chain of two boards: what the first sends is what the second is activated with, or it does not compile.
public func ->>> <First, Second>(
    first: BoardID<First>,
    second: BoardID<Second>
) -> FlowSteps<Second> where First.Output == Second.Input {
    FlowSteps(last: second, draw: [step(from: first, to: second)])
}

/// A chain with one more board at its end.
public func ->>> <Last, Next>(
    steps: FlowSteps<Last>,
    next: BoardID<Next>
) -> FlowSteps<Next> where Last.Output == Next.Input {
    FlowSteps(last: next, draw: steps.draw + [step(from: steps.last, to: next)])
}

private func step<First, Second>(
    from first: BoardID<First>,
    to second: BoardID<Second>
) -> (Motherboard, CallSite) -> FlowToken where First.Output == Second.Input {
    { motherboard, site in
        motherboard.listen(to: first, with: StepFlow(to: motherboard.entry(for: second, at: site)), at: site)
    }
}
