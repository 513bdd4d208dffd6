import CampusModels
public import ComposerModels
import Screens
public import TerminalHost

/// The composer in a terminal.
public struct ComposerTerminalFace: TerminalFace {
    /// The commands of the composer, which all take the optional argument `text`.
    public enum Command: String, CaseIterable {
        case addRecipients = "add-recipients"
        case send
        case cancel
    }

    /// Creates the face.
    public init() {}

    /// The title of the composer.
    public func title(of composer: ComposerModel) -> String { "New message" }

    /// The message, and the reason why the last action did not work.
    public func sections(of composer: ComposerModel) -> [TextSection] {
        let (draft, problem) = (composer.draft, composer.problem)
        let names = draft.recipients.map { "  - \($0.name)" }
        var lines = names.isEmpty ? ["recipients: none"] : ["recipients:"] + names
        lines.append(draft.text.isEmpty ? "text:" : "text: \(draft.text)")
        lines.append("text limit: \(NewMessage.textLimit)")
        if let problem { lines.append("problem: \(Self.text(of: problem))") }
        return [TextSection("message", lines)]
    }

    /// Keeps the text of the argument, and performs the command.
    public func handle(_ command: Command, _ arguments: TerminalArguments, on composer: ComposerModel) {
        if let text = arguments["text"] { composer.write(text) }
        switch command {
        case .addRecipients: composer.addRecipients()
        case .send: composer.send()
        case .cancel: composer.cancel()
        }
    }

    private static func text(of problem: ComposerModel.Problem) -> String {
        switch problem {
        case .unopenedDraft(let error): DisplayError(explaining: error)?.message ?? "Your draft could not be opened."
        case .missingRecipients: "Choose at least one recipient."
        case .missingText: "Write a message."
        case .failedAction(let error): DisplayError(explaining: error)?.message ?? "This did not work. Try again."
        }
    }
}
