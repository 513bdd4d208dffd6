import BackplaneNavigation
import Observation

/// Draws a window in a terminal: prints its page whenever that changes, and performs commands.
final class Terminal {
    private let window: ClubWindow
    private let print: (String) -> Void
    private let others: [TerminalPage.Command]
    private var shown = ""

    init(_ window: ClubWindow, others: [TerminalPage.Command] = [], print: @escaping (String) -> Void) {
        self.window = window
        self.others = others
        self.print = print
        show()
    }

    private var page: TerminalPage? {
        if let dialog = window.navigator.topLayer.dialog { return TerminalPage(dialog) }
        var page = window.navigator.top?.screen.page
        if window.navigator.places.count > 1 {
            page?.commands.append(.init(name: "back") { [window] _ in window.navigator.top?.dismiss() })
        }
        return page
    }

    private func show() {
        draw()
        withObservationTracking {
            _ = page?.text
        } onChange: { [weak self] in
            Task { @MainActor in
                // One change often follows another: a page leaves before the next is there.
                for _ in 0..<10 { await Task.yield() }
                self?.show()
            }
        }
    }

    private func draw() {
        guard let text = page?.text, text != shown else { return }
        shown = text
        print(text)
    }

    func enter(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let name = words.first, let command = ((page?.commands ?? []) + others).first(where: { $0.name == name })
        else { return print("Type one of the commands in the brackets.") }
        let isAnswer = window.navigator.topLayer.dialog != nil
        command.perform(words.count > 1 ? words[1] : "")
        if !isAnswer { draw() }
    }
}
