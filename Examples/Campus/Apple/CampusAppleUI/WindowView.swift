#if canImport(SwiftUI)
    import Foundation
    import Backplane
    import BackplaneNavigation
    import BackplaneSwiftUI
    import Screens
    import SwiftUI

    /// The screens of a window, above the bar with the entries of the features.
    struct WindowView: View {
        let window: CampusWindow

        var body: some View {
            NavigatorView(window.navigator) { ScreenView(screen: $0) }
                .overlay { if window.navigator.top == nil { ProgressView() } }
                .safeAreaInset(edge: .bottom) { bar }
                .environment(\.motherboard, window.motherboard)
        }

        private var bar: some View {
            HStack {
                ForEach(window.motherboard.contributions(to: .barEntries), id: \.path) { entry in
                    Button(entry.title) { window.open(entry.path) }
                }
            }
            .padding(8)
            .frame(maxWidth: .infinity)
            .background(.regularMaterial)
        }
    }
#endif
