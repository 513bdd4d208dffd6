#if canImport(SwiftUI)
    public import BackplaneNavigation
    public import Foundation
    public import SwiftUI

    extension View {
        /// Receives the links that open the window, each of them once.
        ///
        /// The system delivers links to `onOpenURL` and universal links also as user activities. A
        /// link that comes by both ways within a second counts once; `LinkReceiver` decides this.
        ///
        /// ```swift
        /// NavigatorView(navigator) { ScreenView($0) }
        ///     .onLinks { url in
        ///         navigator.uncover()
        ///         motherboard.open(url)
        ///     }
        /// ```
        ///
        /// At a cold start, a universal link may reach only the app's delegate. Pass the receiver
        /// that the delegate uses too, with ways other than `url` and `activity`.
        ///
        /// - Parameters:
        ///   - receiver: the receiver to ask; by default one that the view keeps.
        ///   - action: opens a link; called on the main actor.
        /// - Returns: a view that receives links.
        @MainActor public func onLinks(
            _ receiver: LinkReceiver? = nil,
            perform action: @escaping (URL) -> Void
        ) -> some View {
            modifier(Links(given: receiver, action: action))
        }
    }

    private struct Links: ViewModifier {
        let given: LinkReceiver?
        let action: (URL) -> Void
        @Kept var own = LinkReceiver()

        func body(content: Content) -> some View {
            content
                .onOpenURL { open($0, by: "url") }
                .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                    if let url = activity.webpageURL { open(url, by: "activity") }
                }
        }

        private func open(_ url: URL, by way: String) {
            if (given ?? own).accepts(url.absoluteString, by: way) { action(url) }
        }
    }
#endif
