import Backplane
import Foundation

/// The app in a terminal.
public enum ClubTerminal {
    /// Opens a link, or the list of meetings, and performs what the user types until "quit".
    public static func run(_ arguments: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backplane-club")
        let terminal = try await open(arguments.first, in: folder) { print($0) }
        while let line = await nextLine(), line != "quit" { terminal.enter(line) }
    }

    static func open(_ link: String?, in folder: URL, print: @escaping (String) -> Void) async throws -> Terminal {
        let server = DemoServer()
        let club = try Club(over: server, folder: folder)
        let window = club.makeWindow(hasTransitions: false)
        await club.resume(in: window)
        if let link { window.motherboard.open(link) }
        let offline = TerminalPage.Command(name: "offline") { _ in Task { await server.goOffline() } }
        return Terminal(window, others: [offline], print: print)
    }

    @concurrent private static func nextLine() async -> String? { readLine() }
}
