// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// developer.apple.com/documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
    // developer.apple.com/documentation/uikit/uiapplication/shared
    public static let shared = UIApplication()
    private var last = 0
    /// The tasks for which the system keeps the app running in the background.
    public private(set) var backgroundTasks: Set<UIBackgroundTaskIdentifier> = []

    // developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(expirationhandler:)
    //
    // In newer SDKs, this and the next function belong to no actor.
    open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        last += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: last)
        backgroundTasks.insert(identifier)
        return identifier
    }
    // developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { backgroundTasks.remove(identifier) }
}

// developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
