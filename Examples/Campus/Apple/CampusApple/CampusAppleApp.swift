#if canImport(SwiftUI)
    import CampusAppleUI
    import Foundation
    import SwiftUI

    #if os(macOS)
        import AppKit
    #endif

    /// The app: on a Mac the executable of this package, on iOS the file of `Campus.xcodeproj`.
    @main
    struct CampusAppleApp: App {
        // A constant, because SwiftUI may ask for the body several times.
        private let campus: Campus

        init() {
            // A variable of the scheme's environment selects another API.
            campus = Campus(api: ProcessInfo.processInfo.environment["CAMPUS_API"] ?? "http://127.0.0.1:8081")
            #if os(macOS)
                // An executable of a package has no bundle, so macOS gives it no menus and no
                // keyboard by itself.
                NSApplication.shared.setActivationPolicy(.regular)
            #endif
        }

        var body: some Scene {
            CampusScene(campus)
        }
    }
#endif
