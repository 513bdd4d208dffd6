// swift-tools-version: 6.2
import PackageDescription

/// The same strictness as the library's own targets.
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
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")

func backplane(_ product: String) -> Target.Dependency {
    .product(name: product, package: "backplane")
}

let package = Package(
    name: "campus",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "campus", targets: ["campus"])],
    dependencies: [
        .package(name: "backplane", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.0"),
    ],
    targets: [
        // What the API and the app both speak of: identities and values.
        .target(name: "CampusModels", swiftSettings: strict),
        .target(
            name: "CampusAPI",
            dependencies: [
                "CampusModels", hummingbird, logging, httpTypes,
                .product(name: "GRDB", package: "GRDB.swift"),
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
        // What a feature shows, without knowing where: the seam between features and hosts.
        .target(name: "Screens", swiftSettings: strict),
        .target(
            name: "WebHost",
            dependencies: [
                "Screens", backplane("Backplane"), hummingbird, logging, httpTypes,
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Assets/app.js"), .embedInCode("Assets/style.css")],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "campus",
            dependencies: [
                "CampusAPI", "WebHost",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        // A small client of the W3C WebDriver protocol, for the browser tests.
        .target(
            name: "WebDriver",
            dependencies: [asyncHTTPClient, .product(name: "Subprocess", package: "swift-subprocess")],
            path: "Tests/WebDriver",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CampusAPITests",
            dependencies: ["CampusAPI", "CampusModels", asyncHTTPClient],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebHostTests",
            dependencies: [
                "WebHost", "Screens", asyncHTTPClient, logging, backplane("Backplane"), backplane("BackplaneTesting"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BrowserTests",
            dependencies: ["WebDriver", "campus"],
            swiftSettings: strict
        ),
    ]
)
