import CampusApp
import CampusModels
import Screens
import TerminalHost

/// A run of the command line in a terminal, which prints each screen when it has finished loading.
struct Visit {
    private let terminal: Terminal
    private let options: TerminalOptions

    init(in terminal: Terminal, with options: TerminalOptions) {
        self.terminal = terminal
        self.options = options
    }

    /// Shows the first screen, performs the actions, and prints the event log, also after an error.
    ///
    /// It signs in whenever the login form is shown.
    func run() async throws {
        let result: Result<Void, any Error>
        do {
            try await play()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        print(await terminal.logText)
        print()
        try result.get()
    }

    private func play() async throws {
        try await show()
        try await signIn()
        for action in options.actions {
            try await perform(action.event)
            try await signIn()
        }
    }

    private func signIn() async throws {
        guard let login = options.login, await terminal.asksForSignIn else { return }
        try await perform(ScreenEvent(name: "sign-in", fields: ["email": login.email, "password": login.password]))
    }

    private func perform(_ event: ScreenEvent) async throws {
        print("> \(event)\n")
        await terminal.send(event)
        try await show()
    }

    private func show() async throws {
        let isSettled = await terminal.settle(within: .seconds(options.limit))
        print(await terminal.screenText, terminator: "\n\n")
        guard isSettled else {
            throw Failure("After \(options.limit) seconds the screen was still loading. Raise the limit with --limit.")
        }
    }
}

/// The reason why a command failed, as a text for the user.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
