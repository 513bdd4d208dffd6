#if canImport(SwiftUI)
    public import BackplaneNavigation
    public import Foundation
    public import SwiftUI

    extension View {
        /// Receives the links that open the window, each of them once.
        ///
        /// The system delivers links to `onOpenURL`, and universal links also as user activities. A
        /// link that arrives in several ways within a second counts once: `LinkReceiver` decides
        /// this.
        ///
        /// ```swift
        /// NavigatorView(navigator) { ScreenView($0) }
        ///     .onLinks(links) { url in
        ///         guard motherboard.canOpen(url), navigator.uncover() else { return }
        ///         motherboard.open(url)
        ///     }
        /// ```
        ///
        /// A link that leads nowhere closes nothing, and a pinned sheet refuses the link.
        ///
        /// At a cold start, a universal link may reach only the app's delegate. Let the delegate
        /// ask the same receiver, and give it a way other than `url` and `activity`.
        ///
        /// - Parameters:
        ///   - receiver: the receiver of the window, which the window keeps.
        ///   - action: opens a link; called on the main actor.
        /// - Returns: a view that receives links.
        @MainActor public func onLinks(_ receiver: LinkReceiver, perform action: @escaping (URL) -> Void) -> some View {
            func open(_ url: URL, by way: String) { if receiver.accepts(url.absoluteString, by: way) { action(url) } }
            return onOpenURL { url in open(url, by: "url") }
                .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                    if let url = activity.webpageURL { open(url, by: "activity") }
                }
        }
    }
#endif
