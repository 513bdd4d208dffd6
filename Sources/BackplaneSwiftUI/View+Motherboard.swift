#if canImport(SwiftUI)
    public import Backplane
    public import SwiftUI

    private struct MotherboardKey: EnvironmentKey { static var defaultValue: Motherboard? { nil } }

    extension EnvironmentValues {
        /// The motherboard of the window; `nil` if no view above has set it, as in a preview.
        ///
        /// Set it at the root of the window, with a motherboard of the main actor:
        ///
        /// ```swift
        /// WindowView(window: window).environment(\.motherboard, window.motherboard)
        /// ```
        ///
        /// A view reads it with `@Environment(\.motherboard)`.
        public var motherboard: Motherboard? {
            get { self[MotherboardKey.self] }
            set { self[MotherboardKey.self] = newValue }
        }
    }
#endif
