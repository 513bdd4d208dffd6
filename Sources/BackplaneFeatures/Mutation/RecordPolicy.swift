/// Which of the rules a record keeps: all of them, except in tests that show that the others notice.
package struct RecordPolicy: Sendable {
    /// A7: what loads while a send is open is kept aside, and judged when that is settled.
    package var holdsLoads = true
    /// A4: a rejection removes the rejected mutation only; otherwise it goes back to the time before it, as snapshots do.
    package var removesOnlyRejected = true

    /// The rules.
    package static let rules = RecordPolicy()

    private init() {}
}
