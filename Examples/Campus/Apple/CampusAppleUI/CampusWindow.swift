#if canImport(SwiftUI)
    import Backplane
    import BackplaneNavigation
    import CampusAssembly
    import Screens

    /// One window: its navigator, its motherboard with the modules of the app, and its links.
    ///
    /// Its boards end when it is released, at the latest.
    @MainActor final class CampusWindow: LifetimeOwner {
        let lifetime = Lifetime()
        let navigator: ScreenNavigator
        let motherboard = Motherboard.onMain()
        private let service: any CampusService
        private let firstLink: String
        private var lastLink: String?
        private var hasStarted = false

        /// Creates a window.
        ///
        /// - Parameters:
        ///   - campus: the app.
        ///   - firstLink: the link that the window opens when it starts.
        init(of campus: Campus, opening firstLink: String) {
            navigator = .onMain(clock: campus.clock)
            service = campus.service
            self.firstLink = firstLink
            CampusModules(
                navigator: navigator,
                service: service,
                drafts: campus.drafts,
                clock: campus.clock,
                onAnalyticsEvent: campus.onAnalyticsEvent
            )
            .install(on: motherboard)
            navigator.showDenials(on: motherboard) { [weak self] in self?.lastLink ?? "/" }
            motherboard.pair(with: self)
        }

        /// Enters the session of the signed-in user, and opens the first link, unless another link
        /// came first.
        func start() async {
            guard !hasStarted else { return }
            hasStarted = true
            await CampusModules.enterSession(of: service, on: motherboard)
            if lastLink == nil, !open(firstLink) { open("/") }
        }

        /// Opens a link, or goes back to the screen with this path.
        ///
        /// - Parameter link: `campus://course/abc123` or `/course/abc123`.
        /// - Returns: whether the link leads to a screen of the app.
        @discardableResult
        func open(_ link: String) -> Bool {
            // A link that leads nowhere does not close the user's sheet.
            guard motherboard.canOpen(link), navigator.uncover() else { return false }
            lastLink = link
            if !navigator.back(to: link) { motherboard.open(link) }
            return true
        }
    }
#endif
