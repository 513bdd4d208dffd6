/// Where a registered link leads.
struct LinkTarget {
    let board: AnyBoardID
    /// The links of the screens below it, outermost first.
    let parents: [LinkTemplate]
    /// Reads the parameters as the board's input and activates it.
    let activate: (LinkParameters, Motherboard) throws -> any AnyActivation
}
