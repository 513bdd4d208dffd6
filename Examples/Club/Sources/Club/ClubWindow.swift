import Backplane
import BackplaneNavigation

/// The screens of the app, each with its model.
enum ClubScreen {
    case meeting(MeetingModel)
    case meetings(MeetingListModel)
    case signIn(SignInModel)
    case seat(SeatModel)
}

final class ClubWindow: LifetimeOwner {
    let lifetime = Lifetime()
    let navigator: Navigator<ClubScreen>
    let motherboard = Motherboard.onMain()
    let links = LinkReceiver()

    /// Creates a window; `hasTransitions` says whether the views of SwiftUI draw it.
    init(hasTransitions: Bool = true, _ modules: (Navigator<ClubScreen>) -> [any BoardModule]) {
        navigator = Navigator(hasTransitions: hasTransitions)
        motherboard.pair(with: self)
        motherboard.allowLinks(schemes: ["club"])
        for module in modules(navigator) { motherboard.install(module) }
    }
}
