// The samples of Sources/BackplaneTesting/BackplaneTesting.docc/TestingBoards.md, with a test of
// the failure in the article.

import Backplane
import BackplaneNetworking
import BackplaneTesting
import Foundation
import HTTPTypes
import Testing

enum CityPicker: BoardContract { typealias Output = String }

enum Forecast: BoardContract {
    typealias Input = String
    enum Output: Equatable { case loaded(degrees: Int) }
    enum Command { case refresh }
}

extension BoardID<CityPicker> { static var cityPicker: Self { "cityPicker" } }
extension BoardID<Forecast> { static var forecast: Self { "forecast" } }

@MainActor final class ForecastBoard: Board {
    let slot: Slot<Forecast>
    private let load: (String) async throws -> Int
    private let clock: any Clock<Duration>
    private var city = ""

    init(slot: Slot<Forecast>, load: @escaping (String) async throws -> Int, clock: any Clock<Duration>) {
        self.slot = slot
        self.load = load
        self.clock = clock
    }

    func activate(with city: String) {
        self.city = city
        show()
        task {
            while true {
                try await self.clock.sleep(for: .seconds(3600))
                self.show()
            }
        }
    }

    func receive(_ command: Forecast.Command) {
        show()
    }

    private func show() {
        task {
            let degrees = try await self.load(self.city)
            self.send(.loaded(degrees: degrees))
        }
    }
}

@MainActor struct WeatherModule: BoardModule {
    let load: (String) async throws -> Int
    var clock: any Clock<Duration> = ContinuousClock()

    func register(on motherboard: Motherboard) {
        motherboard.register(.forecast) { slot in ForecastBoard(slot: slot, load: load, clock: clock) }
        motherboard.registerFlowSteps(.cityPicker ->>> .forecast)
    }
}

@MainActor @Test func `the forecast receives the picked city`() {
    let test = TestMotherboard()
    let picker = test.stub(.cityPicker)
    let forecast = test.stub(.forecast)
    test.motherboard.install(WeatherModule { _ in 0 })

    test.motherboard.activate(.cityPicker)
    picker.complete(sending: "Hanoi")
    test.expect(
        .activated(.cityPicker),
        .output(.cityPicker, "Hanoi"),
        .activated(.forecast, with: "Hanoi"),
        .completed(.cityPicker)
    )

    test.motherboard.send(.refresh, to: .forecast)
    #expect(forecast.commands == [.refresh])
    test.expect(.command(.forecast, .refresh))
}

@MainActor @Test func `picking a city activates its forecast`() {
    let test = TestMotherboard(.relaxed)
    test.motherboard.install(WeatherModule { _ in 0 })
    test.stub(.cityPicker) { _, slot in slot.complete(sending: "Hanoi") }

    test.motherboard.activate(.cityPicker)
    test.expect(.activated(.cityPicker), .activated(.forecast, with: "Hanoi"))
}

@MainActor @Test func `a forecast loads on activation and on refresh`() async {
    let degrees = LoadStub<String, Int>()
    let test = TestMotherboard()
    test.motherboard.install(WeatherModule(load: degrees.load, clock: ManualClock()))

    test.motherboard.activate(.forecast, with: "Hanoi")
    await degrees.requests(atLeast: 1)
    degrees.succeed("Hanoi", with: 31)
    await test.receive(.activated(.forecast, with: "Hanoi"), .unhandledOutput(.forecast, .loaded(degrees: 31)))

    test.motherboard.send(.refresh, to: .forecast)
    await degrees.requests(atLeast: 2)
    degrees.fail(with: URLError(.notConnectedToInternet))
    await test.receive(
        .command(.forecast, .refresh),
        .failed(.forecast) { $0 is URLError },
        .event(.unhandledFailure, .forecast)  // no flow handles the failure
    )
}

@MainActor @Test func `a forecast reloads every hour`() async {
    let clock = ManualClock()
    let test = TestMotherboard(.relaxed)
    test.motherboard.install(WeatherModule(load: { $0.count }, clock: clock))

    test.motherboard.activate(.forecast, with: "Hanoi")
    await test.receive(.unhandledOutput(.forecast, .loaded(degrees: 5)))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3600))
    await test.receive(.unhandledOutput(.forecast, .loaded(degrees: 5)))
}

enum Membership: BoardContract { typealias Output = Bool }

extension BoardID<Membership> { static var membership: Self { "membership" } }

@MainActor @Test func `only members see the forecast`() {
    let test = TestMotherboard()
    let membership = test.stub(.membership)
    test.stub(.forecast)
    test.motherboard.gate(.forecast, by: .membership) { $0 ? .open : .closed }

    let hanoi = test.motherboard.activate(.forecast, with: "Hanoi")
    membership.send(true)
    #expect(hanoi.state == .active)
    test.expect(
        .waiting(.forecast, with: "Hanoi"),
        .activated(.membership),
        .output(.membership, true),
        .event(.gateOpened, .forecast),
        .activated(.forecast, with: "Hanoi")
    )

    let hue = test.motherboard.activate(.forecast, with: "Hue")
    membership.send(false)
    #expect(hue.state == .denied(Denial(of: .forecast, by: .membership, .closed)))
    test.expect(
        .waiting(.forecast, with: "Hue"),
        .activated(.membership),
        .output(.membership, false),
        .event(.gateDenied, .forecast)
    )
}

enum Trip: BoardContract { typealias Input = String }

extension BoardID<Trip> { static var trip: Self { "trip" } }

@MainActor @Test func `a trip activates its own forecast`() {
    let test = TestMotherboard()
    test.stub(.forecast)
    test.stub(.trip) { city, slot in
        slot.inner.activate(.forecast, with: city)
    }

    test.motherboard.activate(.trip, with: "Hue")
    test.expect(.activated(.trip, with: "Hue"), .activated(.forecast, with: "Hue").inside(.trip))
}

private struct Temperature: Decodable, Sendable {
    var degrees: Int
}

private struct TokenReply: Decodable, Sendable {
    var access: AccessToken
}

extension AuthenticatedEndpoint<Temperature> {
    fileprivate static func forecast(of city: String) -> Self { Self(.get("forecasts/\(city)")) }
}

extension NonAuthenticatedEndpoint<NetworkTokens> {
    fileprivate static func renew(_ token: RefreshToken) -> Self {
        NonAuthenticatedEndpoint<TokenReply>(.post("token", body: .json(["refresh": token])))
            .map { NetworkTokens(access: $0.access) }
    }
}

@MainActor @Test func `a rejected access token is refreshed`() async throws {
    let api = NetworkStub()
    api.respond(to: .get, "forecasts/*") { request in
        request.bearer == "fresh" ? .json(#"{"degrees": 31}"#) : .status(.unauthorized)
    }
    api.respond(to: .post, "token", with: .json(#"{"access": "fresh"}"#))

    let service = try NonAuthenticatedNetworkController(baseURL: api.baseURL, transport: api)
    let tokens = NetworkTokens(access: AccessToken(rawValue: "stale"), refresh: RefreshToken(rawValue: "again"))
    let controller = AuthenticatedNetworkController(over: service, tokens: tokens) { .renew($0) }

    #expect(try await controller.request(.forecast(of: "hanoi")).degrees == 31)
    #expect(api.requests.map(\.description) == ["GET /forecasts/hanoi", "POST /token", "GET /forecasts/hanoi"])
}

/// Tests the failure message in the article.
@MainActor @Test func `without the flow, the first test fails with the message in the article`() {
    let test = TestMotherboard()
    let picker = test.stub(.cityPicker)
    test.stub(.forecast)
    test.motherboard.activate(.cityPicker)
    picker.complete(sending: "Hanoi")
    withKnownIssue {
        test.expect(
            .activated(.cityPicker),
            .output(.cityPicker, "Hanoi"),
            .activated(.forecast, with: "Hanoi"),
            .completed(.cityPicker)
        )
    } matching: { issue in
        issue.comments.first?.rawValue == """
            The events differ from the expected ones (− expected, + happened):

                .activated(.cityPicker)
              − .output(.cityPicker, "Hanoi")
              − .activated(.forecast, with: "Hanoi")
              + .unhandledOutput(.cityPicker, "Hanoi")
                .completed(.cityPicker)

            Nothing handled the output; register a flow from 'cityPicker'.
            """
    }
}
