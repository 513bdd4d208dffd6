// The samples of Sources/BackplaneTesting/BackplaneTesting.docc/TestingBoards.md, with a test of
// the failure in the article.

import Backplane
import BackplaneNetworking
import BackplaneRemote
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
        motherboard.register { slot in ForecastBoard(slot: slot, load: load, clock: clock) }
        motherboard.registerFlowSteps(CityPicker.id ->>> Forecast.id)
    }
}

@MainActor @Test func `the forecast receives the picked city`() {
    let test = TestMotherboard()
    let picker = test.stub(CityPicker.id)
    let forecast = test.stub(Forecast.id)
    test.motherboard.install(WeatherModule { _ in 0 })

    test.motherboard.activate(CityPicker.id)
    picker.complete(sending: "Hanoi")
    test.expect(
        .activated(CityPicker.id),
        .output(CityPicker.id, "Hanoi"),
        .activated(Forecast.id, with: "Hanoi"),
        .completed(CityPicker.id)
    )

    test.motherboard.send(.refresh, to: Forecast.id)
    #expect(forecast.commands == [.refresh])
    test.expect(.command(Forecast.id, .refresh))
}

@MainActor @Test func `picking a city activates its forecast`() {
    let test = TestMotherboard(exhaustive: false)
    test.motherboard.install(WeatherModule { _ in 0 })
    test.stub(CityPicker.id) { _, slot in slot.complete(sending: "Hanoi") }

    test.motherboard.activate(CityPicker.id)
    test.expect(.activated(CityPicker.id), .activated(Forecast.id, with: "Hanoi"))
}

@MainActor @Test func `a forecast loads on activation and on refresh`() async {
    let degrees = LoadStub<String, Int>()
    let test = TestMotherboard()
    test.motherboard.install(WeatherModule(load: degrees.load, clock: ManualClock()))

    test.motherboard.activate(Forecast.id, with: "Hanoi")
    await degrees.requests(atLeast: 1)
    degrees.succeed("Hanoi", with: 31)
    await test.receive(.activated(Forecast.id, with: "Hanoi"), .unhandledOutput(Forecast.id, .loaded(degrees: 31)))

    test.motherboard.send(.refresh, to: Forecast.id)
    await degrees.requests(atLeast: 2)
    degrees.fail(with: URLError(.notConnectedToInternet))
    await test.receive(
        .command(Forecast.id, .refresh),
        .failed(Forecast.id) { $0 is URLError },
        .event(.unhandledFailure, Forecast.id)  // no flow handles the failure
    )
}

@MainActor @Test func `a forecast reloads every hour`() async {
    let clock = ManualClock()
    let test = TestMotherboard(exhaustive: false)
    test.motherboard.install(WeatherModule(load: { $0.count }, clock: clock))

    test.motherboard.activate(Forecast.id, with: "Hanoi")
    await test.receive(.unhandledOutput(Forecast.id, .loaded(degrees: 5)))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3600))
    await test.receive(.unhandledOutput(Forecast.id, .loaded(degrees: 5)))
}

enum Membership: BoardContract { typealias Output = Bool }

@MainActor @Test func `only members see the forecast`() {
    let test = TestMotherboard()
    let membership = test.stub(Membership.id)
    test.stub(Forecast.id)
    test.motherboard.gate(Forecast.id, by: Membership.id) { $0 ? .open : .closed }

    let hanoi = test.motherboard.activate(Forecast.id, with: "Hanoi")
    membership.send(true)
    #expect(hanoi.state == .active)
    test.expect(
        .waiting(Forecast.id, with: "Hanoi"),
        .activated(Membership.id),
        .output(Membership.id, true),
        .event(.gateOpened, Forecast.id),
        .activated(Forecast.id, with: "Hanoi")
    )

    let hue = test.motherboard.activate(Forecast.id, with: "Hue")
    membership.send(false)
    #expect(hue.state == .denied(Denial(of: Forecast.id, by: Membership.id, .closed)))
    test.expect(
        .waiting(Forecast.id, with: "Hue"),
        .activated(Membership.id),
        .output(Membership.id, false),
        .event(.gateDenied, Forecast.id)
    )
}

enum Trip: BoardContract { typealias Input = String }

@MainActor @Test func `a trip activates its own forecast`() {
    let test = TestMotherboard()
    test.stub(Forecast.id)
    test.stub(Trip.id) { city, slot in
        slot.inner.activate(Forecast.id, with: city)
    }

    test.motherboard.activate(Trip.id, with: "Hue")
    test.expect(.activated(Trip.id, with: "Hue"), .activated(Forecast.id, with: "Hue").inside(Trip.id))
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
    let picker = test.stub(CityPicker.id)
    test.stub(Forecast.id)
    test.motherboard.activate(CityPicker.id)
    picker.complete(sending: "Hanoi")
    withKnownIssue {
        test.expect(
            .activated(CityPicker.id),
            .output(CityPicker.id, "Hanoi"),
            .activated(Forecast.id, with: "Hanoi"),
            .completed(CityPicker.id)
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

struct Guest: Identifiable, Sendable { let id: String }

enum Lounge: BoardContract { typealias Input = UserAccount<Guest> }

@MainActor @Test func `the board of a scope receives an account`() {
    let test = TestMotherboard()
    let lounge = test.stub(Lounge.id)

    test.motherboard.activate(Lounge.id, with: .stub(Guest(id: "ada"), on: NetworkStub()))

    #expect(lounge.inputs.map(\.user.id) == ["ada"])
    test.expect(.activated(Lounge.id))
}
