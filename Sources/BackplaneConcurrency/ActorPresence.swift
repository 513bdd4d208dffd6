/// Returns whether an actor reference that the type system calls non-optional really holds an
/// actor.
///
/// In an asynchronous initializer of an actor, `#isolation` is `nil` until all properties are set.
/// This is so even if the type of the parameter is not optional (seen with Swift 6.3.1). Code that
/// uses such a reference crashes, so it checks the reference with this function first.
package func isPresent(_ actor: any Actor) -> Bool {
    // Both types have the same layout, and `nil` is the null reference. `as any Actor` keeps Swift
    // from opening the existential.
    unsafeBitCast(actor as any Actor, to: (any Actor)?.self) != nil
}
