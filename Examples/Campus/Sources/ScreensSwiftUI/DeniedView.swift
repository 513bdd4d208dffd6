#if canImport(SwiftUI)
    public import Screens
    public import SwiftUI

    /// The screen after a link was denied, with a button that opens the start page.
    public struct DeniedView: View {
        private let denied: DeniedScreen

        /// Creates a view of this screen.
        public init(_ denied: DeniedScreen) {
            self.denied = denied
        }

        /// The view of the screen.
        public var body: some View {
            ContentUnavailableView {
                Label(denied.title, systemImage: "lock")
            } description: {
                Text(denied.message)
            } actions: {
                Button("Go to the start page") { denied.goHome() }
            }
        }
    }
#endif
