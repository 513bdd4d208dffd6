internal import BackplaneConcurrency

/// An error by which the server refuses a mutation that it has not carried out.
///
/// After any other error of a `send`, the server may have carried out the mutation. Examples are a
/// time-out, a lost connection and a status from 500. So only a definite rejection undoes a
/// mutation, unless the `isRejection` of a ``RecordStore`` accepts other errors.
///
/// The errors of `BackplaneNetworking` are classified without this protocol, by their status. Your
/// own errors conform to it:
///
/// ```swift
/// struct TitleTaken: DefiniteRejection {}
/// ```
public protocol DefiniteRejection: Error {}

extension Error {
    /// Whether the server has definitely refused, as far as the error itself says so (R1).
    var isKnownRejection: Bool {
        self is any DefiniteRejection || (self as? any ServerFailure)?.isRefusal == true
    }
}
