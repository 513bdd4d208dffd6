// swift-tools-version: 6.2
import PackageDescription

/// Warnings fail the builds of our scripts only, as in the library.
let noWarnings: [SwiftSetting] =
    Context.environment["BACKPLANE_DEVELOPMENT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// The same settings as the library's own targets.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + noWarnings

/// Whether the SwiftUI faces are compiled and tested on Linux.
///
/// They are compiled against the declarations in the `Tests/Shapes` of the repository. The hosts,
/// the servers and all tests are left out then, with their dependencies.
let hasShapes = Context.environment["BACKPLANE_SHAPES"] != nil

#if canImport(Darwin)
    let hasSwiftUI = true
#else
    let hasSwiftUI = hasShapes
#endif

let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let metricsTestKit: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
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

let navigation = backplane("BackplaneNavigation")

/// Returns the product that declares SwiftUI, if the system has no SwiftUI.
func shapes() -> [Target.Dependency] {
    hasShapes ? [.product(name: "Shapes", package: "backplane")] : []
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
    let known = models + [.target(name: "\(name)Models")]
    var rooms: [Target] = [
        .target(
            name: "\(name)Models",
            dependencies: models + more,
            path: "Sources/Features/\(name)/Model"
        )
    ]
    if hasSwiftUI {
        rooms.append(
            .target(
                name: "\(name)SwiftUI",
                dependencies: known + shapes() + [
                    "ScreensSwiftUI", backplane("Backplane"), backplane("BackplaneSwiftUI"),
                ],
                path: "Sources/Features/\(name)/SwiftUI"
            )
        )
    }
    guard !hasShapes else { return rooms }
    return rooms + [
        .target(
            name: "\(name)Web",
            dependencies: known + ["WebHost"],
            path: "Sources/Features/\(name)/Web",
            resources: templates.map { .embedInCode("\($0).mustache") }
        ),
        .target(
            name: "\(name)Terminal",
            dependencies: known + ["TerminalHost"],
            path: "Sources/Features/\(name)/Terminal"
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
            path: "Sources/Features/\(name)/Interface"
        ),
        .target(
            name: "\(name)Feature",
            dependencies: interfaces + more + (hasModels ? [.target(name: "\(name)Models")] : []) + [
                "CampusModels", "Screens", backplane("Backplane"), backplane("BackplaneFeatures"),
                navigation,
            ],
            path: "Sources/Features/\(name)/Implementation"
        ),
    ]
}

let features: [Target] = [
    feature("Root", knows: ["Login", "Dashboard"]),
    feature("Login", interfaceKnows: ["CampusAccounts"], hasModels: true),
    feature("Dashboard", knows: ["Composer", "Login"], hasModels: true),
    feature("Settings", knows: ["Login"], hasModels: true),
    feature("Agenda"),
    feature("Course", hasModels: true),
    feature("Composer", knows: ["Dashboard"], hasModels: true),
    feature("Catalog", knows: ["Dashboard"], hasModels: true),
    feature("Product", knows: ["Catalog", "Login"], hasModels: true),
].flatMap { $0 }

/// The models and the faces of the features' screens.
let everyFace: [Target] = [
    faces("Login", knows: ["Catalog"], templates: ["login"]),
    faces(
        "Dashboard",
        knows: ["Course", "Dashboard"],
        templates: ["user", "week", "courses", "messages", "changes", "tiles"]
    ),
    faces("Settings", knows: ["Dashboard"], templates: ["user", "sessions"]),
    faces(
        "Course",
        knows: ["Course", "Dashboard"],
        templates: ["summary", "tutor", "schedule", "to-dos", "failures", "missing"]
    ),
    faces("Composer", knows: ["Dashboard"], templates: ["composer", "contacts", "cancel"], needs: [navigation]),
    faces("Catalog", knows: ["Catalog", "Product"], templates: ["catalog"]),
    faces(
        "Product",
        knows: ["Catalog", "Product"],
        templates: ["product", "favorite", "shop", "missing"],
        needs: [backplane("Backplane")]
    ),
].flatMap { $0 }

/// Returns dependencies on the targets whose names end in one of these words.
func dependencies(on rooms: String..., of targets: [Target]) -> [Target.Dependency] {
    targets.filter { target in rooms.contains { target.name.hasSuffix($0) } }.map { .target(name: $0.name) }
}

let everyFeature = dependencies(on: "Interface", "Feature", of: features)
let everyInterface = dependencies(on: "Interface", of: features)
let everyModel = dependencies(on: "Models", of: everyFace)
/// The models, and the faces of the web host and of the terminal.
let everyFaceDependency = dependencies(on: "Models", "Web", "Terminal", of: everyFace)
let everySwiftUIFace = dependencies(on: "SwiftUI", of: everyFace)

/// The package dependencies of the hosts, the servers and the tests.
let hostPackages: [Package.Dependency] = [
    // Campus is configured by its command line, so Hummingbird needs no swift-configuration.
    .package(
        url: "https://github.com/hummingbird-project/hummingbird.git",
        from: "2.28.0",
        traits: ["FullFoundation"]
    ),
    .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.5.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.0"),
]

/// The app without a host: the same for the browser, the terminal and SwiftUI.
let core: [Target] = [
    // IDs and values that the API and the app share.
    .target(name: "CampusModels"),
    // The operations of a signed-in user.
    .target(
        name: "CampusAccounts",
        dependencies: ["CampusModels", backplane("BackplaneFeatures")]
    ),
    .target(
        name: "CampusNetworking",
        dependencies: ["CampusModels", httpTypes, backplane("BackplaneNetworking")]
    ),
    // Screens independent of a host: the border between features and hosts.
    .target(
        name: "Screens",
        dependencies: [backplane("Backplane"), backplane("BackplaneFeatures"), navigation]
    ),
    // Stores discarded messages in a file.
    .target(name: "CampusDrafts", dependencies: ["CampusModels", grdb]),
    // Connects the features by their interfaces.
    .target(
        name: "CampusFlows",
        dependencies: everyInterface + ["Screens", backplane("Backplane")]
    ),
    // The assembly: the only target that knows every feature and the network. It knows no host.
    .target(
        name: "CampusAssembly",
        dependencies: everyFeature + everyModel + [
            "CampusAccounts", "CampusDrafts", "CampusFlows", "CampusModels", "CampusNetworking", "Screens",
            httpTypes, backplane("Backplane"), backplane("BackplaneFeatures"), navigation,
            backplane("BackplaneNetworking"), backplane("BackplaneRemote"), backplane("BackplaneStorage"),
        ]
    ),
]

/// The app for Apple's systems.
let appleTargets: [Target] = [
    // The views of the types in `Screens`, which the SwiftUI faces of all features use.
    .target(
        name: "ScreensSwiftUI",
        dependencies: shapes() + ["Screens", backplane("BackplaneFeatures")]
    ),
    // The window, with the views of all screens.
    .target(
        name: "CampusAppleUI",
        dependencies: everyModel + everySwiftUIFace + shapes() + [
            "CampusAssembly", "CampusDrafts", "Screens", "ScreensSwiftUI",
            backplane("Backplane"), navigation, backplane("BackplaneNetworking"),
            backplane("BackplaneStorage"), backplane("BackplaneSwiftUI"),
        ],
        path: "Apple/CampusAppleUI"
    ),
    .executableTarget(
        name: "CampusApple",
        dependencies: shapes() + ["CampusAppleUI"],
        path: "Apple/CampusApple"
    ),
]

/// The products for Apple's systems: the library has all that an app target or a test imports.
let appleProducts: [Product] = [
    .library(
        name: "CampusAppleUI",
        targets: [
            "CampusAppleUI", "CampusAssembly", "CampusModels", "CampusAccounts", "CampusDrafts", "Screens",
            "ScreensSwiftUI",
        ] + everyFace.map(\.name).filter { $0.hasSuffix("Models") || $0.hasSuffix("SwiftUI") }
    ),
    .executable(name: "CampusApple", targets: ["CampusApple"]),
]

/// The hosts, the servers and the tests.
let hostTargets: [Target] = [
    // The system's libsodium.
    .systemLibrary(
        name: "CSodium",
        pkgConfig: "libsodium",
        providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
    ),
    .target(name: "Hashing", dependencies: ["CSodium"]),
    .target(
        name: "CampusAPI",
        dependencies: [
            "CampusModels", "Hashing", "ServerLimits", hummingbird, logging, httpTypes, grdb, nioCore, nioHTTP1,
            nioPosix, serviceLifecycle,
            metrics,
            .product(name: "SystemPackage", package: "swift-system"),
        ]
    ),
    // Time-outs and a maximum number of connections, for each HTTP server of Campus.
    .target(
        name: "ServerLimits",
        dependencies: [
            hummingbird, logging, nioCore, nioHTTPTypes,
            .product(name: "HummingbirdCore", package: "hummingbird"),
        ]
    ),
    .target(
        name: "WebHost",
        dependencies: [
            "Screens", backplane("Backplane"), backplane("BackplaneFeatures"), navigation,
            "ServerLimits", hummingbird, logging, metrics, httpTypes, nioCore, serviceLifecycle,
            "Hashing", .product(name: "Mustache", package: "swift-mustache"),
        ],
        resources: [
            .embedInCode("Assets/app.js"), .embedInCode("Assets/style.css"), .embedInCode("Assets/icon.svg"),
        ] + hostTemplates
    ),
    // A second host: screens as text, boards as a log of events. It knows nothing of Campus.
    .target(
        name: "TerminalHost",
        dependencies: [
            "Screens", backplane("Backplane"), backplane("BackplaneFeatures"), navigation,
        ]
    ),
    // Stores the web host's sessions in a file.
    .target(
        name: "CampusSessions",
        dependencies: ["WebHost", grdb, .product(name: "SystemPackage", package: "swift-system")]
    ),
    // The assembly with both hosts and their faces.
    .target(
        name: "CampusApp",
        dependencies: everyInterface + everyFaceDependency + [
            "CampusAccounts", "CampusAssembly", "CampusDrafts", "CampusModels", "Screens", "TerminalHost", "WebHost",
            backplane("Backplane"), navigation, backplane("BackplaneNetworking"),
            backplane("BackplaneStorage"),
        ]
    ),
    // The size of the heap, which Swift's module of the C library leaves out.
    .target(name: "CHeap"),
    // The command-line tool. Each executable chooses the transport between the app and the API.
    .executableTarget(
        name: "campus",
        dependencies: ["CampusCommands", backplane("BackplaneAsyncHTTPClient")]
    ),
    .executableTarget(
        name: "campus-demo",
        dependencies: ["CampusCommands", backplane("BackplaneNetworking")]
    ),
    .target(
        name: "CampusCommands",
        dependencies: [
            "CHeap", "CampusAPI", "CampusApp", "CampusModels", "CampusSessions", "Screens", "ServerLimits",
            "TerminalHost", "WebHost",
            httpTypes, logging,
            serviceLifecycle,
            backplane("Backplane"), backplane("BackplaneNetworking"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ]
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
        ]
    ),
    // A small client of the W3C WebDriver protocol, for the browser tests.
    .target(
        name: "WebDriver",
        dependencies: [
            asyncHTTPClient, nioCore, nioHTTP1,
            .product(name: "Subprocess", package: "swift-subprocess"),
            .product(name: "SystemPackage", package: "swift-system"),
        ],
        path: "Tests/WebDriver"
    ),
    // Helpers of the library's own tests, such as the trait by which a test names its rules. The
    // name differs from theirs, because both packages are built in one folder. The excluded files
    // need a module that is no product.
    .target(
        name: "CampusTestTools",
        path: "Tests/CampusTestTools",
        exclude: ["EveryOwnerPath.swift", "Failures.swift"]
    ),
    // Helpers that several test targets of Campus use.
    .target(
        name: "CampusTestSupport",
        dependencies: [logging],
        path: "Tests/CampusTestSupport"
    ),
    .testTarget(
        name: "CampusAPITests",
        dependencies: [
            "CampusTestTools", "CampusAPI", "CampusModels", "CampusNetworking", "CampusTestSupport", "Hashing",
            "ServerLimits", asyncHTTPClient, grdb, httpTypes, hummingbird, logging, nioCore, nioHTTP1, nioHTTPTypes,
            nioPosix,
            serviceLifecycle,
            backplane("BackplaneNetworking"), backplane("BackplaneRemote"), backplane("BackplaneTesting"),
            metrics, metricsTestKit,
            .product(name: "NIOEmbedded", package: "swift-nio"),
        ]
    ),
    .testTarget(
        name: "WebHostTests",
        dependencies: [
            "CampusTestTools", "WebHost", "CampusTestSupport", "Screens", "ServerLimits", asyncHTTPClient, logging,
            nioCore,
            metrics, metricsTestKit, serviceLifecycle,
            backplane("Backplane"), navigation, backplane("BackplaneTesting"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
        ]
    ),
    .testTarget(
        name: "TerminalHostTests",
        dependencies: [
            "CampusTestTools", "TerminalHost", "Screens",
            backplane("Backplane"), navigation, backplane("BackplaneFeatures"),
            backplane("BackplaneTesting"),
        ]
    ),
    .testTarget(
        name: "CampusSessionsTests",
        dependencies: [
            "CampusSessions", "WebHost", backplane("BackplaneNetworking"), backplane("BackplaneStorage"),
        ]
    ),
    .testTarget(
        name: "CampusAppTests",
        dependencies: [
            "CampusTestTools", "CampusTestSupport", "CampusAPI", "CampusAccounts", "CampusApp", "CampusAssembly",
            "CampusDrafts", "CampusModels",
            "CampusNetworking", "ComposerModels", "CourseInterface", "CourseModels", "DashboardModels", "LoginModels",
            "ProductInterface", "ProductModels", "Screens", "WebHost",
            grdb,
            httpTypes,
            logging,
            serviceLifecycle,
            backplane("Backplane"), backplane("BackplaneAsyncHTTPClient"), backplane("BackplaneFeatures"),
            navigation, backplane("BackplaneNetworking"), backplane("BackplaneRemote"),
            backplane("BackplaneStorage"), backplane("BackplaneTesting"),
        ],
        resources: [.embedInCode("Golden/outbox-1.sql")]
    ),
    .testTarget(name: "CampusLoadTests", dependencies: ["campus-load"]),
    .testTarget(
        name: "BrowserTests",
        dependencies: [
            "CampusTestTools", "WebDriver", "campus", "campus-demo", "CampusAccounts", "CampusAssembly", "CampusFlows",
            "CampusModels",
            "LoginInterface",
            backplane("Backplane"), backplane("BackplaneTesting"), grdb, hummingbird, logging,
            nioCore,
            .product(name: "Subprocess", package: "swift-subprocess"),
            .product(name: "SystemPackage", package: "swift-system"),
        ]
    ),
    // Programs that use the interfaces of the features as other teams would.
    .testTarget(
        name: "CampusCallers",
        dependencies: everyFeature + everyFaceDependency + [
            "CampusAccounts", "CampusFlows", "CampusModels", "Screens",
            backplane("Backplane"), navigation, backplane("BackplaneFeatures"),
        ]
    ),
    .testTarget(
        name: "CampusFeatureTests",
        dependencies: everyFeature + everyFaceDependency + [
            "CampusTestTools", "CampusAccounts", "CampusApp", "CampusAssembly", "CampusDrafts", "CampusFlows",
            "CampusModels", "Screens", "WebHost", httpTypes, logging,
            backplane("Backplane"), navigation, backplane("BackplaneFeatures"),
            backplane("BackplaneNetworking"), backplane("BackplaneRemote"), backplane("BackplaneTesting"),
        ]
    ),
]

let package = Package(
    name: "campus",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: hasSwiftUI ? appleProducts : [],
    dependencies: [
        .package(name: "backplane", path: "../..", traits: ["AsyncHTTPClient"]),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.5.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    ],
    targets: core + features + everyFace
)

if hasSwiftUI { package.targets += appleTargets }
if !hasShapes {
    package.products += ["campus", "campus-demo", "campus-load"].map { .executable(name: $0, targets: [$0]) }
    package.dependencies += hostPackages
    package.targets += hostTargets
}

for target in package.targets where ![.plugin, .system].contains(target.type) { target.swiftSettings = strict }
