import CampusModels
public import ComposerModels
import Screens
public import TerminalHost

/// The composer in a terminal.
public struct ComposerTerminalFace: TerminalFace {
    /// Creates the face.
    public init() {}

    /// The title of the composer.
    public func title(of composer: ComposerModel) -> String { "New message" }

    /// The message, and the reason why the last action did not work.
    public func sections(of composer: ComposerModel) -> [TextSection] {
        let draft = composer.draft
        let names = draft.recipients.map { "  - \($0.name)" }
        var lines = names.isEmpty ? ["recipients: none"] : ["recipients:"] + names
        lines.append(TextSection.line("text", draft.text))
        lines.append("text limit: \(NewMessage.textLimit)")
        if let problem = composer.problem { lines.append("problem: \(problem.message)") }
        return [TextSection("message", lines)]
    }
}
