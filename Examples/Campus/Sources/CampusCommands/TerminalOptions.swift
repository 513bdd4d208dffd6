import ArgumentParser
import CampusModels
import Foundation
import Screens
import TerminalHost

/// The options of a command that shows screens in the terminal.
struct TerminalOptions: ParsableArguments {
    @Option(
        name: .customLong("do"),
        help: ArgumentHelp(
            "The events to send to the top screen, in order, each with its fields, such as 'send:text=Hi'.",
            valueName: "event[:field=value,…]"
        )
    )
    var actions: [Action] = []

    @Option(help: "The base URL of the API, such as http://127.0.0.1:8081.") var api: String?
    @Option(help: "The user's e-mail address, to sign in with.") var email: String?
    @Option(help: "The user's password.") var password: String?
    @Option(help: "The longest time to wait for a screen to load, in seconds.") var limit = 10

    func validate() throws {
        if (email == nil) != (password == nil) {
            throw ValidationError("A sign-in needs both --email and --password.")
        }
    }

    /// The URL of the API; `nil` without the option `--api`.
    func apiURL() throws -> URL? { try api.map(url(ofAPI:)) }

    /// The sign-in of the user; `nil` without the options for it.
    var login: LoginRequest? {
        guard let email, let password else { return nil }
        return LoginRequest(email: email, password: password)
    }

    /// An event for the top screen, in the form of the command line.
    struct Action: ExpressibleByArgument {
        let event: ScreenEvent

        init?(argument: String) {
            let parts = argument.split(separator: ":", maxSplits: 1)
            guard let name = parts.first else { return nil }
            var fields: [String: String] = [:]
            for field in parts.dropFirst().flatMap({ $0.split(separator: ",") }) {
                let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2 else { return nil }
                fields[String(sides[0])] = String(sides[1])
            }
            event = ScreenEvent(name: String(name), fields: fields)
        }
    }
}

/// Returns the URL of an API from the text on the command line.
func url(ofAPI text: String) throws -> URL {
    guard let url = URL(string: text) else {
        throw ValidationError("'\(text)' is not a URL. Write a URL such as http://127.0.0.1:8081.")
    }
    return url
}
