#if canImport(SwiftUI)
    import BackplaneNavigation
    public import CampusAssembly
    public import CampusDrafts
    public import Foundation
    public import Screens

    /// The app: everything that its windows share.
    ///
    /// Create it once, in a constant of the `App`.
    @MainActor public final class Campus {
        let service: any CampusService
        let drafts: DraftStore
        let clock: any Clock<Duration>
        let onAnalyticsEvent: (AnalyticsEvent) -> Void
        let links: LinkReceiver
        private weak var lastWindow: CampusWindow?
        private var waitingLink: String?

        /// Creates the app over a service.
        ///
        /// - Parameters:
        ///   - service: the service that the features use.
        ///   - drafts: the store of unsent messages; by default they are lost when the app ends.
        ///   - clock: the clock of presentations, of repeated links, and of the delays before
        ///     changes are sent again.
        ///   - onAnalyticsEvent: receives the events for statistics of all windows.
        public init(
            service: any CampusService,
            drafts: DraftStore = DraftStore(),
            clock: any Clock<Duration> = ContinuousClock(),
            onAnalyticsEvent: @escaping (AnalyticsEvent) -> Void = { _ in }
        ) {
            self.service = service
            self.drafts = drafts
            self.clock = clock
            self.onAnalyticsEvent = onAnalyticsEvent
            links = LinkReceiver(clock: clock)
        }

        /// Opens a link that the app's delegate received.
        ///
        /// At a cold start, a universal link may reach only the delegate. Then it waits for the
        /// first window. A link that a window receives as well is opened once.
        ///
        /// ```swift
        /// func application(_: UIApplication, continue activity: NSUserActivity, …) -> Bool {
        ///     if let url = activity.webpageURL { campus.open(url) }
        ///     return true
        /// }
        /// ```
        ///
        /// - Parameter url: the link.
        public func open(_ url: URL) {
            guard links.accepts(url.absoluteString, by: "delegate") else { return }
            if let lastWindow {
                lastWindow.open(url.absoluteString)
            } else {
                waitingLink = url.absoluteString
            }
        }

        /// Returns a new window, which opens the link that waits for it.
        func makeWindow() -> CampusWindow {
            let window = CampusWindow(of: self, opening: waitingLink ?? "/")
            waitingLink = nil
            lastWindow = window
            return window
        }
    }
#endif
