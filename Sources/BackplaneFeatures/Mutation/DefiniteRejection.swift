/// An error that says that the server has refused a mutation, and has not carried it out.
///
/// Whatever else a `send` throws leaves open what the server has done: a time-out, a lost connection, a status from 500. So
/// only errors of this kind undo a mutation, unless a ``RecordStore`` is told of others.
///
/// ```swift
/// struct TitleTaken: DefiniteRejection {}
/// ```
public protocol DefiniteRejection: Error {}
