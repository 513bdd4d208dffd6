#if canImport(SwiftUI)
    import CampusModels
    public import ComposerModels
    import ScreensSwiftUI
    public import SwiftUI

    /// The composer in SwiftUI.
    public struct ComposerView: View {
        @Bindable private var composer: ComposerModel

        /// Creates a view of this composer.
        public init(_ composer: ComposerModel) {
            self.composer = composer
        }

        /// The view of the composer.
        public var body: some View {
            Form {
                if let problem = composer.problem {
                    Section { ProblemLabel(problem.message) }
                }
                Section("To") {
                    ForEach(composer.draft.recipients) { Text($0.name) }
                    if composer.draft.recipients.isEmpty { Text("No recipients yet").foregroundStyle(.secondary) }
                    Button("Choose recipients") { composer.addRecipients() }
                }
                Section("Text") {
                    TextField("Text", text: $composer.text, axis: .vertical)
                    Text("\(composer.text.count) of \(NewMessage.textLimit) characters").font(.footnote)
                }
                Section {
                    Button("Send") { composer.send() }
                    Button("Cancel", role: .cancel) { composer.cancel() }
                }
            }
            .disabled(composer.isBusy)
            .navigationTitle("New message")
            // The button Cancel asks what to do with the text. Going back would lose it.
            .navigationBarBackButtonHidden(!composer.draft.isBlank)
        }
    }
#endif
