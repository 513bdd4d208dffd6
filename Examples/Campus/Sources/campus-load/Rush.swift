import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A command that signs in while passwords are guessed.
struct Rush: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Guess many passwords at once, and measure how long a user's sign-in takes meanwhile.",
        discussion: """
            The requests go to the API itself, with the key of the app, so that each has a client address of choice. In \
            each round all guesses are sent at once, each for another account, and one user signs in.
            """
    )

    @Option(help: "The number of guesses at once.") var guesses = 600
    @Option(help: "The number of rounds.") var rounds = 9

    func validate() throws {
        guard guesses > 0, (1...200).contains(rounds) else {
            throw ValidationError("Specify guesses, and from 1 to 200 rounds.")
        }
    }

    func run() async throws {
        try requireOpenFiles(2 * guesses + 500)
        print("\(guesses) guesses at once, in \(rounds) rounds")
        let key = (0..<64).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
        let figures = try await withTemporaryDirectory { directory in
            try await withServer(in: directory, options: ["--app-key", key]) { server in
                let door = LoginDoor(url: "http://127.0.0.1:\(server.ports.api)/login", key: key)
                return try await measure(at: door)
            }
        }
        for figure in figures { print(figure.row) }
        if figures.contains(where: \.isOver) { throw ExitCode.failure }
    }

    private func measure(at door: LoginDoor) async throws -> [Figure] {
        // Every sign-in of a user comes from the same network here, which the API knows afterwards.
        let home = "203.0.113.7"
        var alone: [Duration] = []
        var besideOne: [Duration] = []
        var besideMany: [Duration] = []
        for round in 0..<rounds {
            let user = DemoUser.all[round % DemoUser.all.count]
            alone.append(try await door.signIn(user, from: home))
            // Guesses from one network, and a user on a network that is new to the API.
            besideOne.append(
                try await time(of: user, from: "192.0.\(round).1", at: door) { _ in "198.18.\(round).1" }
            )
            // Guesses from a network each, and a user on a network that is known to the API.
            besideMany.append(
                try await time(of: user, from: home, at: door) { "10.\(round).\($0 / 250).\($0 % 250)" }
            )
        }
        return Figure.percentiles("sign-in without guesses", of: alone)
            + Figure.percentiles("sign-in, guesses from one network", of: besideOne, medianLimit: Limits.signIn)
            + Figure.percentiles("sign-in, guesses from as many networks", of: besideMany, medianLimit: Limits.signIn)
    }

    /// Sends all guesses, and returns the time of a sign-in that is sent after them.
    private func time(
        of user: DemoUser,
        from address: String,
        at door: LoginDoor,
        guessesFrom attacker: @escaping @Sendable (Int) -> String
    ) async throws -> Duration {
        let count = guesses
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count { group.addTask { try await door.guess(index, from: attacker(index)) } }
            let time = try await door.signIn(user, from: address)
            try await group.waitForAll()
            return time
        }
    }
}

/// The sign-in of the API, for requests in the name of any client.
struct LoginDoor: Sendable {
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 100_000
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    let url: String
    let key: String

    /// Signs in, and returns how long that took.
    func signIn(_ user: DemoUser, from address: String) async throws -> Duration {
        let start = ContinuousClock.now
        let status = try await post(email: user.email, password: user.password, from: address)
        guard status == 200 else { throw Failure("A sign-in was answered with the status \(status).") }
        return start.duration(to: .now)
    }

    /// Sends a wrong password for an account of its own.
    func guess(_ index: Int, from address: String) async throws {
        let status = try await post(email: "guess\(index)@campus.example", password: "wrong", from: address)
        guard status == 401 || status == 429 else { throw Failure("A guess was answered with the status \(status).") }
    }

    private func post(email: String, password: String, from address: String) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "x-campus-app-key", value: key)
        request.headers.add(name: "x-campus-client-address", value: address)
        let body = try JSONEncoder().encode(["email": email, "password": password])
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        _ = try await response.body.collect(upTo: 1 << 20)
        return Int(response.status.code)
    }
}
