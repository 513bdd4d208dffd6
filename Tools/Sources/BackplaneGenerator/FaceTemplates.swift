/// An interface that draws the screens of an app.
package enum Face: String, Codable, CaseIterable, Sendable {
    case swiftui
    case terminal
}

extension AppTemplate {
    var terminal: [String: String] {
        [
            "Sources/\(app)Terminal/Main.swift": terminalMain,
            "Sources/\(app)/Terminal/\(app)Terminal.swift": terminalProgram,
            "Sources/\(app)/Terminal/Terminal.swift": terminalWindow,
            "Sources/\(app)/Terminal/TerminalPage.swift": terminalPage,
        ]
    }

    var swiftUI: [String: String] {
        [
            "Sources/\(app)App/Main.swift": appMain,
            "Sources/\(app)/SwiftUI/\(app)View.swift": appView,
        ]
    }

    private var terminalMain: String {
        """
        import \(app)

        @main enum Main {
            static func main() async {
                await \(app)Terminal.run(Array(CommandLine.arguments.dropFirst()))
            }
        }

        """
    }

    private var terminalProgram: String {
        """
        import Backplane

        /// The app in a terminal.
        public enum \(app)Terminal {
            /// Opens a link, or the home, and performs what the user types until "quit".
            public static func run(_ arguments: [String]) async {
                let window = \(app)Assembly.makeWindow(hasTransitions: false)
                if let link = arguments.first { window.motherboard.open(link) }
                let terminal = Terminal(window) { print($0) }
                while let line = await nextLine(), line != "quit" { terminal.enter(line) }
            }

            @concurrent private static func nextLine() async -> String? { readLine() }
        }

        """
    }

    private var terminalWindow: String {
        """
        import BackplaneNavigation
        import Observation

        /// Draws a window in a terminal: prints its page when that changes, and performs commands.
        final class Terminal {
            private let window: \(app)Window
            private let print: (String) -> Void
            private var shown = ""

            init(_ window: \(app)Window, print: @escaping (String) -> Void) {
                self.window = window
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
                guard let name = words.first, let command = (page?.commands ?? []).first(where: { $0.name == name })
                else { return print("Type one of the commands in the brackets, or quit.") }
                let isAnswer = window.navigator.topLayer.dialog != nil
                command.perform(words.count > 1 ? words[1] : "")
                if !isAnswer { draw() }
            }
        }

        """
    }

    private var terminalPage: String {
        #"""
        import BackplaneFeatures
        import BackplaneNavigation

        /// A screen as lines of text and as the commands that a user can type.
        struct TerminalPage {
            struct Command {
                let name: String
                var argument = ""
                let perform: (String) -> Void

                var usage: String { argument.isEmpty ? name : "\(name) \(argument)" }
            }

            var lines: [String]
            var commands: [Command] = []

            var text: String { (lines + ["[" + commands.map(\.usage).joined(separator: " | ") + "]"]).joined(separator: "\n") }

            /// The page of a value that is loaded; without a value and an error, it is not shown.
            init?<Value>(_ state: LoadState<Value>, retry: @escaping () -> Void, page: (Value) -> TerminalPage) {
                if let value = state.value {
                    self = page(value)
                } else if state.error != nil {
                    self.init(lines: ["This page cannot be loaded."], commands: [Command(name: "retry") { _ in retry() }])
                } else {
                    return nil
                }
            }

            init(lines: [String], commands: [Command] = []) {
                self.lines = lines
                self.commands = commands
            }

            init(_ dialog: PresentedDialog) {
                self.init(
                    lines: [dialog.title],
                    commands: dialog.buttons.map { button in
                        Command(name: button.label.lowercased()) { _ in dialog.choose(button.id) }
                    }
                )
            }
        }

        extension \#(app)Screen {
            var page: TerminalPage? {
                switch self {
                \#(Mark.pages)
                }
            }
        }

        """#
    }

    private var appMain: String {
        """
        import BackplaneSwiftUI
        import \(app)
        import SwiftUI

        @main struct Main: App {
            var body: some Scene {
                WindowGroup { \(app)RootView() }
            }
        }

        """
    }

    private var appView: String {
        """
        import Backplane
        import BackplaneNavigation
        import BackplaneSwiftUI
        import SwiftUI

        /// The app, in a window of its own.
        public struct \(app)RootView: View {
            @Kept private var window: \(app)Window

            /// Creates the view.
            public init() {
                _window = Kept { \(app)Assembly.makeWindow() }
            }

            /// The window.
            public var body: some View { \(app)View(window: window) }
        }

        struct \(app)View: View {
            let window: \(app)Window

            var body: some View {
                NavigatorView(window.navigator) { screen in
                    switch screen {
                    \(Mark.views)
                    }
                }
                .onLinks(window.links) { url in
                    guard window.motherboard.canOpen(url), window.navigator.uncover() else { return }
                    window.motherboard.open(url)
                }
            }
        }

        """
    }
}
