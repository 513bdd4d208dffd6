import Screens

/// The look of a ``DeniedScreen`` in a terminal, which every app has.
struct DeniedTerminalFace: TerminalFace {
    enum Command: String, CaseIterable {
        case home
    }

    func title(of denied: DeniedScreen) -> String { denied.title }

    func sections(of denied: DeniedScreen) -> [TextSection] {
        [TextSection("denied", [TextSection.line("message", denied.message)])]
    }

    func handle(_ command: Command, _ arguments: EventFields, on denied: DeniedScreen) {
        switch command {
        case .home: denied.goHome()
        }
    }
}
