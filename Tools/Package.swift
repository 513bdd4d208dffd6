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

let package = Package(
    name: "backplane-tools",
    platforms: [.macOS(.v14)],
    products: [.executable(name: "backplane", targets: ["BackplaneCommand"])],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0")],
    targets: [
        // The logic: names, templates, and a plan that is shown and then performed.
        .target(name: "BackplaneGenerator", swiftSettings: strict),
        // On a disk that does not tell capitals, a module `backplane` would replace the library's.
        .executableTarget(
            name: "BackplaneCommand",
            dependencies: [
                "BackplaneGenerator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneGeneratorTests",
            dependencies: [
                "BackplaneCommand", "BackplaneGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
    ]
)
