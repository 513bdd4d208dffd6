#if canImport(UIKit)
    import BackplaneNavigation
    import Foundation
    import UIKit

    extension Step3 {
        /// The delegate that passes the links of its scene on, each with the way by which it came.
        final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
            var window: UIWindow?
            var links = LinkReceiver()
            private(set) var app: AppWindow?
            /// The links that came before the scene, for example from the app's delegate.
            private var earlyLinks: [(url: URL, way: String)] = []

            func scene(
                _ scene: UIScene,
                willConnectTo session: UISceneSession,
                options connectionOptions: UIScene.ConnectionOptions
            ) {
                guard let windowScene = scene as? UIWindowScene else { return }
                let app = AppWindow(shop: Shop(), links: links)
                let window = UIWindow(windowScene: windowScene)
                window.rootViewController = app.navigation
                window.makeKeyAndVisible()
                self.app = app
                self.window = window
                for link in earlyLinks { open(link.url, by: link.way) }
                earlyLinks = []
                for context in connectionOptions.urlContexts { open(context.url, by: "start") }
                for activity in connectionOptions.userActivities { open(activity, by: "start") }
            }

            func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
                for context in contexts { open(context.url, by: "url") }
            }

            func scene(_ scene: UIScene, continue activity: NSUserActivity) {
                open(activity, by: "activity")
            }

            private func open(_ activity: NSUserActivity, by way: String) {
                if let url = activity.webpageURL { open(url, by: way) }
            }

            /// Opens a link now, or when the scene is there.
            func open(_ url: URL, by way: String) {
                guard let app else { return earlyLinks.append((url, way)) }
                app.open(url, by: way)
            }
        }
    }
#endif
