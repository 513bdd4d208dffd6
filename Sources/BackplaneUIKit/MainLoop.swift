#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// Checks before each sleep of the main run loop, so after each change of UIKit.
    ///
    /// UIKit tells only the controllers themselves and delegates, which belong to the app, that a
    /// controller has gone. So no controller needs an addition here, of whatever kind it is.
    @MainActor enum MainLoop {
        private static var checks: [() -> Bool] = []
        private static let observer: CFRunLoopObserver? = {
            let activity = CFRunLoopActivity.beforeWaiting.rawValue
            // The highest order, after UIKit's own work.
            let observer = CFRunLoopObserverCreateWithHandler(nil, activity, true, .max) { _, _ in callAll() }
            CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
            return observer
        }()

        /// Calls `check` before each sleep of the loop, until it returns `false`.
        static func beforeSleep(_ check: @escaping () -> Bool) {
            _ = observer
            checks.append(check)
        }

        private static func callAll() {
            let current = checks
            // A check may add others, and may run the loop.
            checks = []
            checks = current.filter { $0() } + checks
        }
    }
#endif
