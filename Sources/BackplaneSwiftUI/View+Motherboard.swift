#if canImport(SwiftUI)
    public import Backplane
    public import SwiftUI

    private struct MotherboardKey: EnvironmentKey {
        static var defaultValue: Motherboard? { nil }
    }

    extension EnvironmentValues {
        /// The motherboard of the window; `nil` if no view above has set it, as in a preview.
        ///
        /// ```swift
        /// @Environment(\.motherboard) private var motherboard
        /// ```
        ///
        /// Its use is on the main actor, as for everything in a view.
        public var motherboard: Motherboard? {
            get { self[MotherboardKey.self] }
            set { self[MotherboardKey.self] = newValue }
        }
    }

    extension View {
        /// Sets the motherboard for the views in this view.
        ///
        /// ```swift
        /// WindowView(navigator: window.navigator).motherboard(window.motherboard)
        /// ```
        ///
        /// - Parameter motherboard: a motherboard of the main actor. The environment keeps it.
        /// - Returns: a view with the motherboard in its environment.
        @MainActor public func motherboard(_ motherboard: Motherboard?) -> some View {
            environment(\.motherboard, motherboard)
        }
    }
#endif
