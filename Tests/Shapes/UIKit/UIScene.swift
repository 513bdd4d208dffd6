// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import Foundation

// developer.apple.com/documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {}

extension UIScene {
    // developer.apple.com/documentation/uikit/uiscene/connectionoptions
    @MainActor open class ConnectionOptions: NSObject {
        open private(set) var urlContexts: Set<UIOpenURLContext> = []
        open private(set) var userActivities: Set<NSUserActivity> = []

        /// Creates options for tests; UIKit makes them itself.
        public convenience init(urlContexts: Set<UIOpenURLContext> = [], userActivities: Set<NSUserActivity> = []) {
            self.init()
            self.urlContexts = urlContexts
            self.userActivities = userActivities
        }
    }
}

// developer.apple.com/documentation/uikit/uiscenesession
@MainActor open class UISceneSession: NSObject {}

// developer.apple.com/documentation/uikit/uiopenurlcontext
@MainActor open class UIOpenURLContext: NSObject {
    open private(set) var url = URL(filePath: "/")

    /// Creates a context for tests; UIKit makes it itself.
    public convenience init(url: URL) {
        self.init()
        self.url = url
    }
}

// developer.apple.com/documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {}

extension UIWindow {
    // developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)
    public convenience init(windowScene: UIWindowScene) { self.init() }
}

// developer.apple.com/documentation/uikit/uiscenedelegate
//
// In UIKit, all methods are optional.
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

// developer.apple.com/documentation/uikit/uiwindowscenedelegate
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}
