#if canImport(SwiftUI)
    public import SwiftUI

    /// The windows of the app.
    public struct CampusScene: Scene {
        private let campus: Campus

        /// Creates the scene of an app.
        public init(_ campus: Campus) {
            self.campus = campus
        }

        /// A group of windows, each with screens of its own.
        public var body: some Scene {
            WindowGroup { CampusView(campus) }
        }
    }
#endif
