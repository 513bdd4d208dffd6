// Sources/Backplane/Backplane.docc/YourFirstFeature.md, and tests of what it says. That the files compile as the modules
// which they belong to is tested by CompilerTests.
//
// What is public has no documentation, for the page beside it says what it is.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Backplane
import BackplaneTesting
import Foundation
import Testing

// Sources/ForecastInterface/ForecastPage.swift

public struct CityID: RawRepresentable, Codable, Hashable, Sendable, LinkParameter {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

public struct Forecast: Sendable {
    public let city: String
    public let celsius: Int

    public init(city: String, celsius: Int) {
        self.city = city
        self.celsius = celsius
    }
}

public enum ForecastPage: BoardContract {
    public typealias Input = CityID
}

extension BoardID<ForecastPage> {
    public static var forecast: Self { "forecast" }
}

// Sources/ForecastFeature/ForecastBoard.swift

struct ForecastBoard: Board {
    let slot: Slot<ForecastPage>
    let unit: TemperatureUnit
    let loadForecast: (CityID) async throws -> Forecast
    let show: (String) -> Void
    let onShown: (CityID) -> Void

    func activate(with city: CityID) {
        task {
            let forecast = try await loadForecast(city)
            show("\(forecast.city): \(unit.text(ofCelsius: forecast.celsius))")
            onShown(city)
            complete()
        }
    }
}

// Sources/ForecastFeature/TemperatureUnit.swift
public enum TemperatureUnit {
    case celsius, fahrenheit

    func text(ofCelsius degrees: Int) -> String {
        switch self {
        case .celsius: "\(degrees) °C"
        case .fahrenheit: "\(degrees * 9 / 5 + 32) °F"
        }
    }
}

// Sources/ForecastFeature/ForecastModule.swift

public struct ForecastModule: BoardModule {
    private let unit: TemperatureUnit
    private let loadForecast: (CityID) async throws -> Forecast
    private let show: (String) -> Void
    private let onShown: (CityID) -> Void

    public init(
        unit: TemperatureUnit = .celsius,
        loadForecast: @escaping (CityID) async throws -> Forecast,
        show: @escaping (String) -> Void,
        onShown: @escaping (CityID) -> Void = { _ in }
    ) {
        self.unit = unit
        self.loadForecast = loadForecast
        self.show = show
        self.onShown = onShown
    }

    public func register(on motherboard: Motherboard) {
        motherboard.register(.forecast) { slot in
            ForecastBoard(slot: slot, unit: unit, loadForecast: loadForecast, show: show, onShown: onShown)
        }
        motherboard.registerLink("forecast/{city}", to: .forecast)
    }
}

// Tests/WeatherTests/ForecastTests.swift

@MainActor @Test func `a forecast is loaded by the ID of its city, and shown`() async {
    let test = TestMotherboard()
    var shown: [String] = []
    test.motherboard.install(
        ForecastModule(
            unit: .fahrenheit,
            loadForecast: { city in Forecast(city: city.rawValue, celsius: 25) },
            show: { text in shown.append(text) }
        )
    )

    test.motherboard.open("/forecast/hue")
    test.expect(.activated(.forecast, with: CityID(rawValue: "hue")))

    await test.receive(.completed(.forecast))
    #expect(shown == ["hue: 77 °F"])
}

// Sources/CitiesInterface/Cities.swift

public enum Cities: BoardContract {
    public typealias Output = CityID
}

extension BoardID<Cities> {
    public static var cities: Self { "cities" }
}

// Sources/CitiesFeature/CitiesModule.swift

public struct CitiesModule: BoardModule {
    private let choose: () -> CityID?

    public init(choose: @escaping () -> CityID?) {
        self.choose = choose
    }

    public func register(on motherboard: Motherboard) {
        motherboard.register(.cities) { slot in CitiesBoard(slot: slot, choose: choose) }
        motherboard.registerLink("cities", to: .cities)
    }
}

struct CitiesBoard: Board {
    let slot: Slot<Cities>
    let choose: () -> CityID?

    func activate(with input: Void) {
        if let city = choose() { complete(sending: city) } else { complete(.cancelled) }
    }
}

// Sources/WeatherFlows/WeatherFlows.swift

public struct WeatherFlows: BoardModule {
    public init() {}

    public func register(on motherboard: Motherboard) {
        motherboard.registerFlowSteps(.cities ->>> .forecast)
    }
}

private struct Program {
    @MainActor func main() {
        // Sources/weather/main.swift

        struct NoForecast: Error {}

        let forecasts = [
            CityID(rawValue: "hanoi"): Forecast(city: "Hanoi", celsius: 31),
            CityID(rawValue: "oslo"): Forecast(city: "Oslo", celsius: 4),
        ]

        let motherboard = Motherboard()
        motherboard.allowLinks(schemes: ["weather"])
        motherboard.install(WeatherFlows())
        motherboard.install(
            CitiesModule {
                print("Which city?")
                return readLine().map { CityID(rawValue: $0) }
            }
        )
        motherboard.install(
            ForecastModule(
                loadForecast: { city in
                    guard let forecast = forecasts[city] else { throw NoForecast() }
                    return forecast
                },
                show: { text in print(text) }
            )
        )
        motherboard.registerCompletionFlow(.cities) { completion, _ in
            if completion.isCancelled { exit(1) }
        }
        motherboard.registerCompletionFlow(.forecast) { completion, _ in
            if let error = completion.error { print("There is no forecast: \(error)") }
            exit(completion.isDone ? 0 : 1)
        }

        let result = motherboard.open(CommandLine.arguments.dropFirst().first ?? "weather://cities")
        guard result == .opened else {
            print(result)
            exit(1)
        }
        RunLoop.main.run()
    }
}

// Tests/WeatherTests/FlowTests.swift

@MainActor @Test func `whoever picks a city sees its forecast`() {
    let hanoi = CityID(rawValue: "hanoi")
    let test = TestMotherboard()
    test.motherboard.install(WeatherFlows())
    let cities = test.stub(.cities)
    test.stub(.forecast)

    test.motherboard.activate(.cities)
    cities.send(hanoi)

    test.expect(.activated(.cities), .output(.cities, hanoi), .activated(.forecast, with: hanoi))
}

// Tests/WeatherTests/ShownTests.swift

@MainActor @Test func `it is told which forecasts are looked at`() async {
    let hue = CityID(rawValue: "hue")
    let test = TestMotherboard()
    var seen: [CityID] = []
    test.motherboard.install(
        ForecastModule(
            loadForecast: { _ in Forecast(city: "Hue", celsius: 25) },
            show: { _ in },
            onShown: { city in seen.append(city) }
        )
    )

    test.motherboard.activate(.forecast, with: hue)
    await test.receive(.activated(.forecast, with: hue), .completed(.forecast))

    #expect(seen == [hue])
}

/// What is replaced in the course of the tutorial.
private enum Earlier {
    // Sources/ForecastFeature/ForecastBoard.swift

    struct ForecastBoard: Board {
        let slot: Slot<ForecastPage>
        let unit: TemperatureUnit
        let loadForecast: (CityID) async throws -> Forecast
        let show: (String) -> Void

        func activate(with city: CityID) {
            task {
                let forecast = try await loadForecast(city)
                show("\(forecast.city): \(unit.text(ofCelsius: forecast.celsius))")
                complete()
            }
        }
    }

    // Sources/ForecastFeature/ForecastModule.swift

    public struct ForecastModule: BoardModule {
        private let unit: TemperatureUnit
        private let loadForecast: (CityID) async throws -> Forecast
        private let show: (String) -> Void

        public init(
            unit: TemperatureUnit = .celsius,
            loadForecast: @escaping (CityID) async throws -> Forecast,
            show: @escaping (String) -> Void
        ) {
            self.unit = unit
            self.loadForecast = loadForecast
            self.show = show
        }

        public func register(on motherboard: Motherboard) {
            motherboard.register(.forecast) { slot in
                ForecastBoard(slot: slot, unit: unit, loadForecast: loadForecast, show: show)
            }
            motherboard.registerLink("forecast/{city}", to: .forecast)
        }
    }

    // Sources/WeatherFlows/WeatherFlows.swift

    public struct WeatherFlows: BoardModule {
        public init() {}

        public func register(on motherboard: Motherboard) {}
    }
}

private let difference = """
    What happened is not what was expected (− expected, + happened):

        .activated(.cities)
      − .output(.cities, CityID(rawValue: "hanoi"))
      − .activated(.forecast, with: CityID(rawValue: "hanoi"))
      + .unhandledOutput(.cities, CityID(rawValue: "hanoi"))

    Nobody handled the output; register a flow from 'cities'.
    """

@MainActor @Test func `a flow that is not drawn fails its test with the difference that the page shows`() throws {
    let hanoi = CityID(rawValue: "hanoi")
    let test = TestMotherboard()
    test.motherboard.install(Earlier.WeatherFlows())
    let cities = test.stub(.cities)
    test.stub(.forecast)
    test.motherboard.activate(.cities)
    cities.send(hanoi)
    withKnownIssue {
        test.expect(.activated(.cities), .output(.cities, hanoi), .activated(.forecast, with: hanoi))
    } matching: { issue in
        issue.comments.map(\.rawValue) == [difference]
    }
    #expect(
        try MarkdownSamples.page("Backplane/Backplane.docc/YourFirstFeature.md").contains("```\n\(difference)\n```")
    )
}

@MainActor @Test func `in the program a city that is picked leads to its forecast, and so does a link`() async {
    let test = TestMotherboard(.relaxed)
    var shown: [String] = []
    test.motherboard.allowLinks(schemes: ["weather"])
    test.motherboard.install(WeatherFlows())
    test.motherboard.install(CitiesModule { CityID(rawValue: "oslo") })
    test.motherboard.install(
        Earlier.ForecastModule(
            loadForecast: { city in Forecast(city: city.rawValue, celsius: 4) },
            show: { text in shown.append(text) }
        )
    )
    #expect(test.motherboard.open("weather://cities") == .opened)
    await test.receive(.completed(.cities), .completed(.forecast))
    #expect(test.motherboard.open("weather://forecast/hanoi") == .opened)
    await test.receive(.completed(.forecast))
    #expect(shown == ["oslo: 4 °C", "hanoi: 4 °C"])
}

@MainActor @Test func `a forecast that cannot be loaded ends its board as failed, and no city is cancelled`() async {
    struct NoForecast: Error {}
    let test = TestMotherboard()
    test.motherboard.install(ForecastModule(loadForecast: { _ in throw NoForecast() }, show: { _ in }))
    test.motherboard.install(CitiesModule { nil })
    test.motherboard.open("/forecast/atlantis")
    test.motherboard.open("/cities")
    await test.receive(.activated(.forecast), .activated(.cities), .cancelled(.cities))
    await test.receive(.failed(.forecast) { $0 is NoForecast })
}
