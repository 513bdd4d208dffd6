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
            self.init(lines: ["The club cannot be reached."], commands: [Command(name: "retry") { _ in retry() }])
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

extension ClubScreen {
    var page: TerminalPage? {
        switch self {
        case .meetings(let model):
            TerminalPage(model.state, retry: model.retry) { meetings in
                TerminalPage(
                    lines: meetings.map { meeting in
                        "\(meeting.id)  \(meeting.book)" + (model.marked.contains(meeting.id) ? " *" : "")
                    },
                    commands: [.init(name: "show", argument: "NUMBER", perform: model.pick)]
                )
            }
        case .meeting(let model):
            TerminalPage(model.state, retry: model.retry) { meeting in
                TerminalPage(
                    lines: ["\(meeting.book), \(meeting.day)"],
                    commands: [.init(name: "seat") { _ in model.takeSeat() }]
                )
            }
        case .signIn(let model):
            model.isBusy
                ? nil
                : TerminalPage(
                    lines: [model.problem ?? "Who are you?"],
                    commands: [
                        .init(name: "sign-in", argument: "NAME PASSWORD") { text in
                            let words = text.split(separator: " ").map(String.init)
                            (model.name, model.password) = (words.first ?? "", words.last ?? "")
                            model.signIn()
                        }
                    ]
                )
        case .seat(let model):
            TerminalPage(model.state, retry: model.retry) { seat in
                TerminalPage(
                    lines: [seat.text + (model.status.map { " (\($0))" } ?? ""), model.refusal].compactMap(\.self),
                    commands: [
                        .init(name: "take", argument: "GUESTS") { model.take(guests: Int($0) ?? 0) },
                        .init(name: "sign-out") { _ in model.signOut() },
                    ]
                )
            }
        }
    }
}

extension SeatModel {
    fileprivate var status: String? { isPending ? isSaved ? "saved, not confirmed" : "not confirmed" : nil }
}
