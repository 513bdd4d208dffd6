// swift-tools-version: 6.2
import PackageDescription

/// Whether a script of this repository builds the package, and no user.
let isOurs = Context.environment["BACKPLANE_DEVELOPMENT"] != nil

/// Warnings fail our builds only, as in the library.
let noWarnings: [SwiftSetting] = isOurs ? [.treatAllWarnings(as: .error)] : []

/// The settings of a new app in Xcode.
let settings: [SwiftSetting] =
    [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + noWarnings

/// SwiftUI on Linux: declarations that follow Apple's documentation, in `Tests/Shapes`.
let hasShapes = Context.environment["BACKPLANE_SHAPES"] != nil

#if canImport(Darwin)
    let hasSwiftUI = true
#else
    let hasSwiftUI = hasShapes
#endif

func backplane(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: "Backplane\($0)", package: "backplane") }
}

let http: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let shapes: [Target.Dependency] = hasShapes ? [.product(name: "Shapes", package: "backplane")] : []

let package = Package(
    name: "club",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "Club", targets: ["Club"])],
    dependencies: [
        // Our builds have the traits of the others, with which they share what is compiled.
        .package(name: "backplane", path: "../..", traits: isOurs ? ["AsyncHTTPClient"] : []),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    ],
    targets: [
        .target(
            name: "Club",
            dependencies: backplane("", "Features", "Navigation", "Networking", "Remote", "Storage")
                + (hasSwiftUI ? backplane("SwiftUI") + shapes : []) + [http],
            exclude: hasSwiftUI ? [] : ["SwiftUI"],
            swiftSettings: settings
        )
    ]
)

if !hasShapes {
    package.targets += [
        .executableTarget(name: "ClubTerminal", dependencies: ["Club"], swiftSettings: settings),
        .testTarget(
            name: "ClubTests",
            dependencies: ["Club", http]
                + backplane("", "Features", "Navigation", "Networking", "Remote", "Storage", "Testing"),
            swiftSettings: settings
        ),
    ]
}
