#if canImport(SwiftUI)
    import BackplaneSwiftUI
    import CampusAssembly
    import Foundation
    public import SwiftUI

    /// A container that makes its window once, and passes links to it.
    ///
    /// Each scene has its own container. An object in the state of the app or the scene would be
    /// shared between windows.
    public struct CampusView: View {
        private let campus: Campus
        @Kept private var window: CampusWindow

        /// Creates a window of an app.
        public init(_ campus: Campus) {
            self.campus = campus
            _window = Kept { campus.makeWindow() }
        }

        /// The view of the window.
        public var body: some View {
            WindowView(window: window)
                .onLinks(campus.links) { url in window.open(url.absoluteString) }
                .task { await window.start() }
        }
    }

    extension CampusView {
        /// Returns a window with fixed data and a signed-in user, for a preview.
        ///
        /// ```swift
        /// #Preview { CampusView.preview("/course/abc123") }
        /// ```
        ///
        /// - Parameter path: the path of the screen to show.
        /// - Returns: the view of the window.
        public static func preview(_ path: String = "/") -> CampusView {
            let campus = Campus(service: CannedService(isSignedIn: true))
            if let url = URL(string: path) { campus.open(url) }
            return CampusView(campus)
        }
    }
#endif
