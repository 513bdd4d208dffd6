// The samples of Sources/Backplane/Backplane.docc/YourFirstFeature.md, with tests. CompilerTests
// checks that the files compile as separate modules.
//
// Public declarations have no documentation, because the page explains them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Backplane
import BackplaneTesting
import Foundation
import Testing

// Sources/WaterInterface/WaterPage.swift

public struct BeachID: RawRepresentable, Codable, Hashable, Sendable, LinkParameter {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

public struct Reading: Sendable {
    public let beach: String
    public let celsius: Int

    public init(beach: String, celsius: Int) {
        self.beach = beach
        self.celsius = celsius
    }
}

public enum WaterPage: BoardContract {
    public typealias Input = BeachID
}

// Sources/WaterFeature/WaterBoard.swift

struct WaterBoard: Board {
    let slot: Slot<WaterPage>
    let module: WaterModule

    func activate(with beach: BeachID) {
        task {
            let reading = try await module.loadReading(beach)
            module.show("\(reading.beach): \(module.unit.text(ofCelsius: reading.celsius))")
            module.onShown(beach)
            complete()
        }
    }
}

// Sources/WaterFeature/TemperatureUnit.swift
public enum TemperatureUnit {
    case celsius, fahrenheit

    func text(ofCelsius degrees: Int) -> String {
        switch self {
        case .celsius: "\(degrees) °C"
        case .fahrenheit: "\(degrees * 9 / 5 + 32) °F"
        }
    }
}

// Sources/WaterFeature/WaterModule.swift

public struct WaterModule: BoardModule {
    let unit: TemperatureUnit
    let loadReading: (BeachID) async throws -> Reading
    let show: (String) -> Void
    let onShown: (BeachID) -> Void

    public init(
        unit: TemperatureUnit = .celsius,
        loadReading: @escaping (BeachID) async throws -> Reading,
        show: @escaping (String) -> Void,
        onShown: @escaping (BeachID) -> Void = { _ in }
    ) {
        self.unit = unit
        self.loadReading = loadReading
        self.show = show
        self.onShown = onShown
    }

    public func register(on motherboard: Motherboard) {
        motherboard.register { slot in WaterBoard(slot: slot, module: self) }
        motherboard.registerLink("water/{beach}", to: WaterPage.id)
    }
}

// Tests/SwimTests/WaterTests.swift

@MainActor @Test func `opening a beach loads and shows its reading`() async {
    let test = TestMotherboard()
    var shown: [String] = []
    test.motherboard.install(
        WaterModule(
            unit: .fahrenheit,
            loadReading: { beach in Reading(beach: beach.rawValue, celsius: 20) },
            show: { text in shown.append(text) }
        )
    )

    test.motherboard.open("/water/lagos")
    test.expect(.activated(WaterPage.id, with: BeachID(rawValue: "lagos")))

    await test.receive(.completed(WaterPage.id))
    #expect(shown == ["lagos: 68 °F"])
}

// Sources/BeachesInterface/Beaches.swift

public enum Beaches: BoardContract {
    public typealias Output = BeachID
}

// Sources/BeachesFeature/BeachesModule.swift

public struct BeachesModule: BoardModule {
    private let choose: () -> BeachID?

    public init(choose: @escaping () -> BeachID?) {
        self.choose = choose
    }

    public func register(on motherboard: Motherboard) {
        motherboard.register { slot in BeachesBoard(slot: slot, choose: choose) }
        motherboard.registerLink("beaches", to: Beaches.id)
    }
}

struct BeachesBoard: Board {
    let slot: Slot<Beaches>
    let choose: () -> BeachID?

    func activate(with input: Void) {
        if let beach = choose() { complete(sending: beach) } else { complete(.cancelled) }
    }
}

// Sources/SwimFlows/SwimFlows.swift

public struct SwimFlows: BoardModule {
    public init() {}

    public func register(on motherboard: Motherboard) {
        motherboard.registerFlowSteps(Beaches.id ->>> WaterPage.id)
    }
}

private struct Program {
    @MainActor func main() {
        // Sources/swim/main.swift

        struct NoReading: Error {}

        let readings = [
            BeachID(rawValue: "bondi"): Reading(beach: "Bondi", celsius: 22),
            BeachID(rawValue: "brighton"): Reading(beach: "Brighton", celsius: 11),
        ]

        let motherboard = Motherboard()
        motherboard.allowLinks(schemes: ["swim"])
        motherboard.install(SwimFlows())
        motherboard.install(
            BeachesModule {
                print("Which beach?")
                return readLine().map { BeachID(rawValue: $0) }
            }
        )
        motherboard.install(
            WaterModule(
                loadReading: { beach in
                    guard let reading = readings[beach] else { throw NoReading() }
                    return reading
                },
                show: { text in print(text) }
            )
        )
        motherboard.registerCompletionFlow(Beaches.id) { completion, _ in
            if completion.isCancelled { exit(1) }
        }
        motherboard.registerCompletionFlow(WaterPage.id) { completion, _ in
            if let error = completion.error { print("There is no reading: \(error)") }
            exit(completion.isDone ? 0 : 1)
        }

        let result = motherboard.open(CommandLine.arguments.dropFirst().first ?? "swim://beaches")
        guard result == .opened else {
            print(result)
            exit(1)
        }
        RunLoop.main.run()
    }
}

// Tests/SwimTests/FlowTests.swift

@MainActor @Test func `picking a beach shows how warm its water is`() {
    let bondi = BeachID(rawValue: "bondi")
    let test = TestMotherboard()
    test.motherboard.install(SwimFlows())
    let beaches = test.stub(Beaches.id)
    test.stub(WaterPage.id)

    test.motherboard.activate(Beaches.id)
    beaches.send(bondi)

    test.expect(.activated(Beaches.id), .output(Beaches.id, bondi), .activated(WaterPage.id, with: bondi))
}

// Tests/SwimTests/ShownTests.swift

@MainActor @Test func `onShown receives the ID of a shown beach`() async {
    let lagos = BeachID(rawValue: "lagos")
    let test = TestMotherboard()
    var seen: [BeachID] = []
    test.motherboard.install(
        WaterModule(
            loadReading: { _ in Reading(beach: "Lagos", celsius: 20) },
            show: { _ in },
            onShown: { beach in seen.append(beach) }
        )
    )

    test.motherboard.activate(WaterPage.id, with: lagos)
    await test.receive(.activated(WaterPage.id, with: lagos), .completed(WaterPage.id))

    #expect(seen == [lagos])
}

/// The versions of declarations that the tutorial replaces later.
private enum Earlier {
    // Sources/WaterFeature/WaterBoard.swift

    struct WaterBoard: Board {
        let slot: Slot<WaterPage>
        let module: WaterModule

        func activate(with beach: BeachID) {
            task {
                let reading = try await module.loadReading(beach)
                module.show("\(reading.beach): \(module.unit.text(ofCelsius: reading.celsius))")
                complete()
            }
        }
    }

    // Sources/WaterFeature/WaterModule.swift

    public struct WaterModule: BoardModule {
        let unit: TemperatureUnit
        let loadReading: (BeachID) async throws -> Reading
        let show: (String) -> Void

        public init(
            unit: TemperatureUnit = .celsius,
            loadReading: @escaping (BeachID) async throws -> Reading,
            show: @escaping (String) -> Void
        ) {
            self.unit = unit
            self.loadReading = loadReading
            self.show = show
        }

        public func register(on motherboard: Motherboard) {
            motherboard.register { slot in WaterBoard(slot: slot, module: self) }
            motherboard.registerLink("water/{beach}", to: WaterPage.id)
        }
    }

    // Sources/SwimFlows/SwimFlows.swift

    public struct SwimFlows: BoardModule {
        public init() {}

        public func register(on motherboard: Motherboard) {}
    }
}

private let difference = """
    The events differ from the expected ones (− expected, + happened):

        .activated(.beaches)
      − .output(.beaches, BeachID(rawValue: "bondi"))
      − .activated(.waterPage, with: BeachID(rawValue: "bondi"))
      + .unhandledOutput(.beaches, BeachID(rawValue: "bondi"))

    Nothing handled the output; register a flow from 'beaches'.
    """

@MainActor @Test func `a missing flow fails its test with the message on the page`() throws {
    let bondi = BeachID(rawValue: "bondi")
    let test = TestMotherboard()
    test.motherboard.install(Earlier.SwimFlows())
    let beaches = test.stub(Beaches.id)
    test.stub(WaterPage.id)
    test.motherboard.activate(Beaches.id)
    beaches.send(bondi)
    withKnownIssue {
        test.expect(.activated(Beaches.id), .output(Beaches.id, bondi), .activated(WaterPage.id, with: bondi))
    } matching: { issue in
        issue.comments.map(\.rawValue) == [difference]
    }
    #expect(
        try MarkdownSamples.page("Backplane/Backplane.docc/YourFirstFeature.md").contains("```\n\(difference)\n```")
    )
}

@MainActor @Test func `in the program, picking a beach or opening a link shows the water`() async {
    let test = TestMotherboard(exhaustive: false)
    var shown: [String] = []
    test.motherboard.allowLinks(schemes: ["swim"])
    test.motherboard.install(SwimFlows())
    test.motherboard.install(BeachesModule { BeachID(rawValue: "brighton") })
    test.motherboard.install(
        Earlier.WaterModule(
            loadReading: { beach in Reading(beach: beach.rawValue, celsius: 11) },
            show: { text in shown.append(text) }
        )
    )
    #expect(test.motherboard.open("swim://beaches") == .opened)
    await test.receive(.completed(Beaches.id), .completed(WaterPage.id))
    #expect(test.motherboard.open("swim://water/bondi") == .opened)
    await test.receive(.completed(WaterPage.id))
    #expect(shown == ["brighton: 11 °C", "bondi: 11 °C"])
}

@MainActor @Test func `a failed load fails the water board, and no picked beach cancels the beaches board`() async {
    struct NoReading: Error {}
    let test = TestMotherboard()
    test.motherboard.install(WaterModule(loadReading: { _ in throw NoReading() }, show: { _ in }))
    test.motherboard.install(BeachesModule { nil })
    test.motherboard.open("/water/atlantis")
    test.motherboard.open("/beaches")
    await test.receive(.activated(WaterPage.id), .activated(Beaches.id), .cancelled(Beaches.id))
    await test.receive(.failed(WaterPage.id) { $0 is NoReading }, .event(.unhandledFailure, WaterPage.id))
}
