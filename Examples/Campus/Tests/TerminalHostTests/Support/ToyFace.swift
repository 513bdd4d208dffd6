import Screens
import TerminalHost

/// A screen that says itself how ``ToyFace`` shows it.
protocol ToyScreen: Screen {
    var title: String { get }
    var sections: [TextSection] { get }
    func handle(_ command: String, _ arguments: EventFields)
}

extension ToyScreen {
    var sections: [TextSection] { [] }
    func handle(_ command: String, _ arguments: EventFields) {}
}

/// The look of one type of toy screen, which receives every command.
struct ToyFace<Model: ToyScreen>: TerminalFace {
    struct Command: RawRepresentable, CaseIterable {
        static var allCases: [Command] { [] }
        let rawValue: String
    }

    func title(of screen: Model) -> String { screen.title }

    func sections(of screen: Model) -> [TextSection] { screen.sections }

    func handle(_ command: Command, _ arguments: EventFields, on screen: Model) {
        screen.handle(command.rawValue, arguments)
    }
}
