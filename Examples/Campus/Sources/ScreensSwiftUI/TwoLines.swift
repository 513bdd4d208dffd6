#if canImport(SwiftUI)
    public import SwiftUI

    /// A row with a title, and a smaller text below it.
    public struct TwoLines: View {
        private let title: String
        private let text: Text

        /// Creates a row.
        ///
        /// - Parameters:
        ///   - title: the title, which comes from a model.
        ///   - text: the text below the title.
        public init(_ title: String, _ text: Text) {
            self.title = title
            self.text = text
        }

        /// The row.
        public var body: some View {
            VStack(alignment: .leading) {
                Text(title)
                text.font(.footnote).foregroundStyle(.secondary)
            }
        }
    }
#endif
