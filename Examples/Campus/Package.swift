// swift-tools-version: 6.2
import PackageDescription

/// The same settings as the library's own targets.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")

/// The templates of the web host, as files.
let hostTemplates: [Resource] = [
    "changes", "host-bar", "host-bar-entries", "host-breadcrumb", "host-denied", "host-dialog", "host-document",
    "host-fields", "host-layout", "host-main", "host-missing", "host-section", "host-sheet", "problem", "waiting",
].map { .embedInCode("Templates/\($0).mustache") }

func backplane(_ product: String) -> Target.Dependency {
    .product(name: product, package: "backplane")
}

/// The rooms of a feature whose screens have faces.
///
/// The models import interfaces and Backplane only, and know no host. Each face imports the models
/// and its host.
func faces(
    _ name: String,
    knows others: [String] = [],
    templates: [String],
    needs more: [Target.Dependency] = []
) -> [Target] {
    let models: [Target.Dependency] =
        others.map { .target(name: "\($0)Interface") } + [
            "CampusModels", "Screens", backplane("BackplaneFeatures"),
        ]
    return [
        .target(
            name: "\(name)Models",
            dependencies: models + more,
            path: "Sources/Features/\(name)/Model",
            swiftSettings: strict
        ),
        .target(
            name: "\(name)Web",
            dependencies: models + ["WebHost", .target(name: "\(name)Models")],
            path: "Sources/Features/\(name)/Web",
            resources: templates.map { .embedInCode("\($0).mustache") },
            swiftSettings: strict
        ),
        .target(
            name: "\(name)Terminal",
            dependencies: models + ["TerminalHost", .target(name: "\(name)Models")],
            path: "Sources/Features/\(name)/Terminal",
            swiftSettings: strict
        ),
    ]
}

/// The two targets of a feature, an interface and an implementation.
///
/// Others may import the interface, with its contract and IDs. The implementation imports other
/// interfaces only, and only the assembly imports it.
func feature(
    _ name: String,
    knows others: [String] = [],
    interfaceKnows more: [Target.Dependency] = [],
    hasModels: Bool = false
) -> [Target] {
    let interfaces = ([name] + others).map { Target.Dependency.target(name: "\($0)Interface") }
    return [
        .target(
            name: "\(name)Interface",
            dependencies: ["CampusModels", backplane("Backplane")] + more,
            path: "Sources/Features/\(name)/Interface",
            swiftSettings: strict
        ),
        .target(
            name: "\(name)Feature",
            dependencies: interfaces + more + (hasModels ? [.target(name: "\(name)Models")] : []) + [
                "CampusModels", "Screens", backplane("Backplane"), backplane("BackplaneFeatures"),
                backplane("BackplaneNavigation"),
            ],
            path: "Sources/Features/\(name)/Implementation",
            swiftSettings: strict
        ),
    ]
}

let features: [Target] = [
    feature("Root", knows: ["Login", "Dashboard"]),
    feature("Login", interfaceKnows: ["CampusAccounts"], hasModels: true),
    feature("Dashboard", hasModels: true),
    feature("Settings", hasModels: true),
    feature("Agenda"),
    feature("Course", knows: ["Dashboard"], hasModels: true),
    feature("Composer", knows: ["Dashboard"], hasModels: true),
    feature("Catalog", knows: ["Dashboard"], hasModels: true),
    feature("Product", hasModels: true),
].flatMap { $0 }

/// The models and the faces of the features' screens.
let everyFace: [Target] = [
    faces("Login", templates: ["login"]),
    faces("Dashboard", knows: ["Dashboard"], templates: ["user", "week", "courses", "messages", "unsent", "tiles"]),
    faces("Settings", templates: ["user", "sessions"]),
    faces("Course", templates: ["summary", "tutor", "schedule", "to-dos", "failures", "missing"]),
    faces("Composer", templates: ["composer", "contacts", "cancel"], needs: [backplane("BackplaneNavigation")]),
    faces("Catalog", templates: ["catalog"]),
    faces("Product", knows: ["Product"], templates: ["product", "favorite", "shop", "missing"]),
].flatMap { $0 }

let everyFaceDependency = everyFace.map { Target.Dependency.target(name: $0.name) }
let everyFeature = features.map { Target.Dependency.target(name: $0.name) }
let everyInterface = features.filter { $0.name.hasSuffix("Interface") }.map { Target.Dependency.target(name: $0.name) }

let package = Package(
    name: "campus",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "campus", targets: ["campus"]), .executable(name: "campus-load", targets: ["campus-load"]),
    ],
    dependencies: [
        .package(name: "backplane", path: "../..", traits: ["AsyncHTTPClient"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.0"),
    ],
    targets: [
        // IDs and values that the API and the app share.
        .target(name: "CampusModels", swiftSettings: strict),
        // The operations of a signed-in user.
        .target(
            name: "CampusAccounts",
            dependencies: ["CampusModels", backplane("BackplaneFeatures")],
            swiftSettings: strict
        ),
        .target(
            name: "CampusAPI",
            dependencies: [
                "CampusModels", hummingbird, logging, httpTypes, grdb, nioCore, serviceLifecycle,
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CampusNetworking",
            dependencies: ["CampusModels", httpTypes, backplane("BackplaneNetworking")],
            swiftSettings: strict
        ),
        // Screens independent of a host: the border between features and hosts.
        .target(
            name: "Screens",
            dependencies: [backplane("Backplane"), backplane("BackplaneFeatures"), backplane("BackplaneNavigation")],
            swiftSettings: strict
        ),
        .target(
            name: "WebHost",
            dependencies: [
                "Screens", backplane("Backplane"), backplane("BackplaneFeatures"), backplane("BackplaneNavigation"),
                hummingbird, logging, httpTypes, nioCore, serviceLifecycle,
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [
                .embedInCode("Assets/app.js"), .embedInCode("Assets/style.css"), .embedInCode("Assets/icon.svg"),
            ]
                + hostTemplates,
            swiftSettings: strict
        ),
        // A second host: screens as text, boards as a log of events. It knows nothing of Campus.
        .target(
            name: "TerminalHost",
            dependencies: [
                "Screens", backplane("Backplane"), backplane("BackplaneFeatures"), backplane("BackplaneNavigation"),
            ],
            swiftSettings: strict
        ),
        // Stores the web host's sessions in a file.
        .target(
            name: "CampusSessions",
            dependencies: ["WebHost", grdb, .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: strict
        ),
        // Stores discarded messages in a file.
        .target(name: "CampusDrafts", dependencies: ["CampusModels", grdb], swiftSettings: strict),
        // Connects the features by their interfaces.
        .target(
            name: "CampusFlows",
            dependencies: everyInterface + [backplane("Backplane")],
            swiftSettings: strict
        ),
        // The assembly: the only target that knows every feature, the network and the hosts.
        .target(
            name: "CampusApp",
            dependencies: everyFeature + everyFaceDependency + [
                "CampusAccounts", "CampusDrafts", "CampusFlows", "CampusModels", "CampusNetworking", "Screens",
                "TerminalHost", "WebHost",
                httpTypes, backplane("Backplane"), backplane("BackplaneAsyncHTTPClient"),
                backplane("BackplaneFeatures"), backplane("BackplaneNavigation"), backplane("BackplaneNetworking"),
                backplane("BackplaneStorage"),
            ],
            swiftSettings: strict
        ),
        // The size of the heap, which Swift's module of the C library leaves out.
        .target(name: "CHeap"),
        .executableTarget(
            name: "campus",
            dependencies: [
                "CHeap", "CampusAPI", "CampusApp", "CampusModels", "CampusSessions", "Screens", "TerminalHost",
                "WebHost",
                logging,
                serviceLifecycle,
                backplane("Backplane"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        // Measures the executable from outside, so it depends on no target of Campus.
        .executableTarget(
            name: "campus-load",
            dependencies: [
                // For its child process alone.
                "WebDriver",
                asyncHTTPClient, nioCore, nioHTTP1,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // A small client of the W3C WebDriver protocol, for the browser tests.
        .target(
            name: "WebDriver",
            dependencies: [
                asyncHTTPClient, nioCore, nioHTTP1,
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/WebDriver",
            swiftSettings: strict
        ),
        // Helpers of the library's own tests, such as the trait by which a test names its rules.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // Helpers that several test targets of Campus use.
        .target(
            name: "CampusTestSupport",
            dependencies: [logging],
            path: "Tests/CampusTestSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CampusAPITests",
            dependencies: [
                "TestSupport", "CampusAPI", "CampusModels", "CampusNetworking", "CampusTestSupport", asyncHTTPClient,
                grdb,
                logging, nioCore, nioHTTP1, serviceLifecycle, backplane("BackplaneNetworking"),
                backplane("BackplaneTesting"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebHostTests",
            dependencies: [
                "TestSupport", "WebHost", "CampusTestSupport", "Screens", asyncHTTPClient, logging, nioCore,
                serviceLifecycle,
                backplane("Backplane"), backplane("BackplaneNavigation"), backplane("BackplaneTesting"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TerminalHostTests",
            dependencies: [
                "TestSupport", "TerminalHost", "Screens",
                backplane("Backplane"), backplane("BackplaneNavigation"), backplane("BackplaneFeatures"),
                backplane("BackplaneTesting"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CampusSessionsTests",
            dependencies: [
                "CampusSessions", "WebHost", backplane("BackplaneNetworking"), backplane("BackplaneStorage"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CampusAppTests",
            dependencies: [
                "TestSupport", "CampusAPI", "CampusAccounts", "CampusApp", "CampusDrafts", "CampusModels", "Screens",
                httpTypes,
                logging,
                serviceLifecycle,
                backplane("BackplaneFeatures"), backplane("BackplaneNetworking"), backplane("BackplaneTesting"),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "CampusLoadTests", dependencies: ["campus-load"], swiftSettings: strict),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "TestSupport", "WebDriver", "campus", "CampusAccounts", "CampusApp", "CampusFlows", "CampusModels",
                "LoginInterface",
                backplane("Backplane"), grdb, hummingbird, logging,
                nioCore,
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict
        ),
        // Programs that use the interfaces of the features as other teams would.
        .testTarget(
            name: "CampusCallers",
            dependencies: everyFeature + everyFaceDependency + [
                "CampusAccounts", "CampusFlows", "CampusModels", "Screens",
                backplane("Backplane"), backplane("BackplaneNavigation"), backplane("BackplaneFeatures"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CampusFeatureTests",
            dependencies: everyFeature + everyFaceDependency + [
                "WebHost",
                "TestSupport", "CampusAccounts", "CampusApp", "CampusDrafts", "CampusFlows", "CampusModels", "Screens",
                logging,
                backplane("Backplane"), backplane("BackplaneNavigation"), backplane("BackplaneFeatures"),
                backplane("BackplaneTesting"),
            ],
            swiftSettings: strict
        ),
    ]
        + features + everyFace
)
