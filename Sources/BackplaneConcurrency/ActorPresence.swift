/// Whether there is an actor behind a value that the type system says is one.
///
/// In an asynchronous initialiser of an actor, before all its properties are set, `#isolation` is nil even where the
/// parameter that it is the default of is not optional (seen with Swift 6.3.1). Using such a value crashes; this tells.
package func isPresent(_ actor: any Actor) -> Bool {
    // The two types have one layout: nil is the null reference. `as any Actor` keeps the value from being opened.
    unsafeBitCast(actor as any Actor, to: (any Actor)?.self) != nil
}
