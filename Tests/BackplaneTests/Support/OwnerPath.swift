import BackplaneConcurrency

/// The two ways in which a call reaches an actor.
///
/// The call runs immediately where the system can tell that it is already on the actor. Otherwise
/// it runs after a hop.
enum OwnerPath: CaseIterable {
    case asTheSystemCan
    case alwaysByHop

    func run<Result>(_ body: () -> Result) -> Result {
        OwnerCall.alwaysHops.withValue(self == .alwaysByHop, operation: body)
    }
}
