import ArgumentParser
import CampusModels
import Foundation
import Screens
import TerminalHost

/// What a command that shows screens in the terminal can be told.
struct TerminalOptions: ParsableArguments {
    @Option(
        name: .customLong("do"),
        help: ArgumentHelp(
            "What to do on the screen on top, one after another: an event and its fields, such as 'send:text=Hi'.",
            valueName: "event[:field=value,…]"
        )
    )
    var actions: [Action] = []

    @Option(help: "The root of the API's URLs, such as http://127.0.0.1:8081.") var api: String?
    @Option(help: "Whom to log in as.") var email: String?
    @Option(help: "The password that belongs to the e-mail address.") var password: String?
    @Option(help: "How many seconds to wait for a screen to load.") var limit = 10

    func validate() throws {
        if (email == nil) != (password == nil) {
            throw ValidationError("A log-in takes both --email and --password.")
        }
    }

    /// The API that was asked for, if any was.
    func apiURL() throws -> URL? { try api.map(url(ofAPI:)) }

    /// Who was asked to be logged in, if anybody was.
    var login: LoginRequest? {
        guard let email, let password else { return nil }
        return LoginRequest(email: email, password: password)
    }

    /// An event for the screen on top, as it is written on the command line.
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

/// The URL of an API that was named on the command line.
func url(ofAPI text: String) throws -> URL {
    guard let url = URL(string: text) else {
        throw ValidationError("'\(text)' is not a URL; write --api like http://127.0.0.1:8081.")
    }
    return url
}
