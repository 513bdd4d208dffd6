import Club

@main enum Main {
    static func main() async throws {
        try await ClubTerminal.run(Array(CommandLine.arguments.dropFirst()))
    }
}
