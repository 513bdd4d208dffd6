/// A fault between the app and the library, which the oracle must find.
enum PlantedFault: CaseIterable, Sendable {
    case ignoresReload, ignoresRetry, ignoresCancel, ignoresLoadMore, ignoresDismissal, ignoresRetryPending
    case ignoresRefresh, ignoresChange
    case neverEndsLoading, neverSettles
    case hidesItem, showsItemTwice, hidesFirstValue, hidesFailure, hidesLoadError
    case keepsOldError, keepsOldValue, renewsAge
    case forgetsDependency, refreshesPerWindow, asksWithoutEnd, keepsLoadAlive

    /// The words of the fault by which the oracle finds it.
    var finding: String {
        switch self {
        case .ignoresReload: "a reload starts no load"
        case .ignoresRetry: "a retry starts no load"
        case .ignoresCancel: "a cancelled load is still shown"
        case .ignoresLoadMore: "more items are not loaded"
        case .ignoresDismissal: "a dismissed failure is still shown"
        case .ignoresRetryPending: "an unconfirmed change is not resent at once"
        case .ignoresRefresh: "a refresh starts nothing"
        case .ignoresChange: "a change is not pending in the turn in which it is made"
        case .neverEndsLoading: "loading is shown without a load"
        case .neverSettles: "a wait does not end with the load"
        case .hidesItem: "an item that a page delivered is hidden"
        case .showsItemTwice: "two items have one ID"
        case .hidesFirstValue: "a loaded value is not shown"
        case .hidesFailure: "a failure is gone that nobody dismissed"
        case .hidesLoadError: "a failed load shows no error"
        case .keepsOldError: "an error outlives a newer value"
        case .keepsOldValue: "the value is not the server's"
        case .renewsAge: "a load of a value that is not fresh starts nothing"
        case .forgetsDependency: "a change is sent that needs a refused one"
        case .refreshesPerWindow: "refreshes of one signal share no load"
        case .asksWithoutEnd: "one action sends requests without end"
        case .keepsLoadAlive: "a load runs that nothing waits for"
        }
    }
}
