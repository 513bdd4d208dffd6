// swift-tools-version: 6.2
import PackageDescription

/// Whether a script of this repository builds the package, and no user.
let isOurs = Context.environment["BACKPLANE_DEVELOPMENT"] != nil

/// Warnings fail our builds only: Xcode suppresses warnings in packages from a URL, and refuses
/// both options together.
let noWarnings: [SwiftSetting] = isOurs ? [.treatAllWarnings(as: .error)] : []

/// The settings of every target: Swift 6, and upcoming features.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + noWarnings

let everyProduct: [Target.Dependency] = [
    "Backplane", "BackplaneAsyncHTTPClient", "BackplaneConformance", "BackplaneFeatures", "BackplaneNATS",
    "BackplaneNavigation", "BackplaneNetworking", "BackplaneRemote", "BackplaneStorage", "BackplaneTesting",
    .product(name: "HTTPTypes", package: "swift-http-types"),
]

/// The dependencies behind the trait: resolved, compiled and linked only for users of the trait.
let asyncHTTPClient: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["AsyncHTTPClient"])),
    .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
    .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
    .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
]

/// The C library behind the trait; SwiftPM asks for it only for users of the trait.
let cnats: [Target.Dependency] = [.target(name: "CNATS", condition: .when(traits: ["NATS"]))]

/// Whether the adapters for Apple's frameworks are compiled on Linux, as the package in
/// `Tests/Shapes` does.
///
/// They are compiled against declarations there that follow Apple's documentation.
let hasShapes = Context.environment["BACKPLANE_SHAPES"] != nil

let package = Package(
    name: "backplane",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Backplane", targets: ["Backplane"]),
        .library(name: "BackplaneAsyncHTTPClient", targets: ["BackplaneAsyncHTTPClient"]),
        .library(name: "BackplaneConformance", targets: ["BackplaneConformance"]),
        .library(name: "BackplaneFeatures", targets: ["BackplaneFeatures"]),
        .library(name: "BackplaneNATS", targets: ["BackplaneNATS"]),
        .library(name: "BackplaneNavigation", targets: ["BackplaneNavigation"]),
        .library(name: "BackplaneNetworking", targets: ["BackplaneNetworking"]),
        .library(name: "BackplaneRemote", targets: ["BackplaneRemote"]),
        .library(name: "BackplaneStorage", targets: ["BackplaneStorage"]),
        .library(name: "BackplaneSwiftUI", targets: ["BackplaneSwiftUI"]),
        .library(name: "BackplaneTesting", targets: ["BackplaneTesting"]),
        .library(name: "BackplaneUIKit", targets: ["BackplaneUIKit"]),
    ],
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description:
                "The product BackplaneAsyncHTTPClient: a transport over async-http-client, which brings SwiftNIO."
        ),
        .trait(
            name: "NATS",
            description: "The product BackplaneNATS: boards on other machines, over the C library of NATS."
        ),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.5.0"),
        // Resolved with the trait only, together with SwiftNIO.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
    ],
    targets: [
        // The only module with locks and unsafe code. Not a product.
        .target(name: "BackplaneConcurrency", swiftSettings: strict),
        .target(name: "Backplane", dependencies: ["BackplaneConcurrency"], swiftSettings: strict),
        .target(name: "BackplaneFeatures", dependencies: ["BackplaneConcurrency"], swiftSettings: strict),
        .target(
            name: "BackplaneNavigation",
            dependencies: ["Backplane", "BackplaneConcurrency"],
            swiftSettings: strict
        ),
        // Empty where the framework is missing, as on Linux.
        .target(
            name: "BackplaneSwiftUI",
            dependencies: ["Backplane", "BackplaneFeatures", "BackplaneNavigation"],
            swiftSettings: strict
        ),
        .target(
            name: "BackplaneUIKit",
            dependencies: ["Backplane", "BackplaneNavigation"],
            swiftSettings: strict
        ),
        .target(
            name: "BackplaneNetworking",
            dependencies: [
                "BackplaneConcurrency",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BackplaneRemote",
            dependencies: [
                "BackplaneConcurrency", "BackplaneFeatures", "BackplaneNetworking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // Empty without its trait.
        .target(
            name: "BackplaneAsyncHTTPClient",
            dependencies: [
                "BackplaneNetworking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + asyncHTTPClient,
            swiftSettings: strict
        ),
        // Empty without its trait.
        .target(
            name: "BackplaneNATS",
            dependencies: ["Backplane", "BackplaneConcurrency"] + cnats,
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "CNATS",
            pkgConfig: "libnats",
            providers: [.apt(["libnats-dev"]), .brew(["cnats"])]
        ),
        .target(
            name: "BackplaneStorage",
            dependencies: [
                "BackplaneConcurrency", "BackplaneFeatures", "BackplaneNetworking",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BackplaneTesting",
            dependencies: [
                "Backplane", "BackplaneConcurrency", "BackplaneNetworking", "BackplaneRemote",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BackplaneConformance",
            dependencies: [
                "BackplaneConcurrency", "BackplaneFeatures", "BackplaneNetworking", "BackplaneTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // Helpers that several test targets use, for example the trait by which a test names the
        // rules it covers.
        .target(
            name: "TestSupport",
            dependencies: ["BackplaneConcurrency"],
            path: "Tests/Support/TestSupport",
            swiftSettings: strict
        ),
        // Runs tests of HTTP caches in the format of http-tests/cache-tests.
        .target(
            name: "CacheConformance",
            dependencies: [
                "BackplaneConcurrency", "BackplaneNetworking", "BackplaneTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Support/CacheConformance",
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneConcurrencyTests",
            dependencies: ["BackplaneConcurrency", "BackplaneTesting", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneTests",
            dependencies: ["Backplane", "BackplaneConcurrency", "BackplaneTesting", "TestSupport"],
            swiftSettings: strict
        ),
        // A module as in an iOS app: everything is on the main actor by default.
        .testTarget(
            name: "BackplaneMainActorTests",
            dependencies: ["Backplane", "BackplaneFeatures", "BackplaneTesting", "TestSupport"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "BackplaneFeaturesTests",
            dependencies: ["BackplaneConcurrency", "BackplaneFeatures", "BackplaneTesting", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneNavigationTests",
            dependencies: [
                "Backplane", "BackplaneConcurrency", "BackplaneNavigation", "BackplaneTesting", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneNetworkingTests",
            dependencies: [
                "TestSupport", "BackplaneAsyncHTTPClient", "BackplaneConcurrency", "BackplaneConformance",
                "BackplaneNetworking", "BackplaneTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + asyncHTTPClient,
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneRemoteTests",
            dependencies: [
                "TestSupport", "BackplaneConcurrency", "BackplaneFeatures", "BackplaneNetworking", "BackplaneRemote",
                "BackplaneTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneStorageTests",
            dependencies: [
                "TestSupport", "BackplaneConformance", "BackplaneFeatures", "BackplaneNetworking", "BackplaneStorage",
                "BackplaneTesting", "CacheConformance",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneTestingTests",
            dependencies: [
                "TestSupport", "Backplane", "BackplaneConcurrency", "BackplaneFeatures", "BackplaneNetworking",
                "BackplaneTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneConformanceTests",
            dependencies: [
                "TestSupport", "BackplaneAsyncHTTPClient", "BackplaneConformance", "BackplaneFeatures",
                "BackplaneNetworking", "BackplaneTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + asyncHTTPClient,
            swiftSettings: strict
        ),
        // Programs that call the public API as users do: in Swift 6 without further settings, and
        // with the settings of a new app in Xcode.
        .testTarget(
            name: "CallerTests",
            dependencies: everyProduct,
            path: "Tests/Callers/Plain",
            packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)] + noWarnings
        ),
        .testTarget(
            name: "MainActorCallerTests",
            dependencies: everyProduct,
            path: "Tests/Callers/MainActor",
            packageAccess: false,
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ] + noWarnings
        ),
        // Every Swift sample of README and DocC, compiled and run.
        .testTarget(
            name: "DocumentationTests",
            dependencies: everyProduct + asyncHTTPClient + ["TestSupport"],
            swiftSettings: strict
        ),
        // Checks the rules of sessions and records in random traces. A seed decides which job runs
        // next.
        .target(name: "CJobQueue", path: "Tests/Support/CJobQueue"),
        .testTarget(
            name: "OracleTests",
            dependencies: [
                "TestSupport", "BackplaneAsyncHTTPClient", "BackplaneConcurrency", "BackplaneConformance",
                "BackplaneFeatures", "BackplaneNetworking", "BackplaneRemote", "BackplaneTesting", "CJobQueue",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + asyncHTTPClient,
            swiftSettings: strict
        ),
    ]
)

// These start processes, which most of Apple's systems do not allow.
if isOurs {
    package.targets += [
        .target(name: "CPageLimit", path: "Tests/Support/CPageLimit"),
        // Kills processes with an outbox, and compares histories with a model of the rules.
        .executableTarget(
            name: "outbox-torture",
            dependencies: [
                "BackplaneConcurrency", "BackplaneConformance", "BackplaneFeatures", "BackplaneNetworking",
                "BackplaneStorage", "BackplaneTesting", "CPageLimit", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Support/OutboxTorture",
            swiftSettings: strict
        ),
        // `make conformance`
        .executableTarget(
            name: "cache-conformance",
            dependencies: ["BackplaneNetworking", "BackplaneStorage", "CacheConformance"],
            path: "Tests/Support/CacheConformanceTool",
            swiftSettings: strict
        ),
        // Starts servers, and kills them and workers.
        .testTarget(
            name: "BackplaneNATSTests",
            dependencies: [
                "Backplane", "BackplaneConcurrency", "BackplaneNATS", "BackplaneTesting", "TestSupport", "nats-worker",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "nats-worker",
            dependencies: ["Backplane", "BackplaneNATS"],
            path: "Tests/Support/NATSWorker",
            swiftSettings: strict
        ),
        .testTarget(
            name: "OutboxTortureTests",
            dependencies: ["TestSupport", "outbox-torture"],
            swiftSettings: strict
        ),
        // Runs the compiler on snippets that must not compile and reads its diagnostics.
        .testTarget(
            name: "CompilerTests",
            dependencies: [
                "Backplane", "BackplaneFeatures", "BackplaneNavigation", "BackplaneNetworking", "BackplaneRemote",
                "BackplaneStorage", "BackplaneTesting", "TestSupport",
            ],
            swiftSettings: strict
        ),
    ]
}

#if os(macOS)
    // The tests of the adapter that run on UIKit itself, in a simulator.
    package.targets.append(
        .testTarget(
            name: "BackplaneUIKitTests",
            dependencies: ["Backplane", "BackplaneNavigation", "BackplaneUIKit"],
            path: "Tests/Shapes/UIKitTests",
            sources: ["RealUIKitTests.swift"],
            swiftSettings: strict
        )
    )
#endif

// The only test targets to build, for checks that concern few of them. A name may be followed by a
// colon and the only folders of the target to build, separated by commas.
if let names = Context.environment["BACKPLANE_TEST_TARGETS"]?.split(whereSeparator: \.isWhitespace) {
    let chosen = names.map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
    package.targets.removeAll { target in target.type == .test && !chosen.contains { $0[0] == target.name } }
    for target in package.targets {
        guard let folders = chosen.first(where: { $0[0] == target.name && $0.count == 2 })?[1] else { continue }
        target.sources = folders.split(separator: ",").map(String.init)
    }
}

// Users ship an optimized library. To optimize its tests as well would take most of the time.
if Context.environment["BACKPLANE_UNOPTIMIZED_TESTS"] != nil {
    for target in package.targets where target.type == .test {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
    }
}

if hasShapes {
    let adapters: [String: Target.Dependency] = ["BackplaneSwiftUI": "SwiftUI", "BackplaneUIKit": "UIKit"]
    for target in package.targets { adapters[target.name].map { target.dependencies.append($0) } }
    package.products += [
        .library(name: "Shapes", targets: ["SwiftUI", "UIKit"]),
        .library(name: "KeychainShapes", targets: ["SecurityShapes", "NetworkingOnApple"]),
    ]
    package.targets += [
        // The module with a Keychain, a second time and under another name: the packages of others
        // in the same folder look for a module `Security`, too, and would find the shape.
        .target(
            name: "NetworkingOnApple",
            dependencies: [
                "BackplaneConcurrency", "SecurityShapes", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Shapes/NetworkingOnApple",
            exclude: ["BackplaneNetworking.docc"],
            swiftSettings: strict + [.unsafeFlags(["-module-alias", "Security=SecurityShapes"])]
        ),
        .target(
            name: "SecurityShapes",
            dependencies: ["BackplaneConcurrency"],
            path: "Tests/Shapes/Security",
            swiftSettings: strict
        ),
        .target(name: "UIKit", path: "Tests/Shapes/UIKit", swiftSettings: strict),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "Tests/Shapes/SwiftUI", swiftSettings: strict),
    ]
}
