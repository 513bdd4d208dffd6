/// The record whose mutation the current task sends.
package enum SentRecord {
    /// The entity tag that the server must still have when it carries out the mutation (R3).
    ///
    /// A record sets it while it sends a mutation, and a request that is sent by an endpoint reads
    /// it.
    @TaskLocal package static var entityTag: String?
}
