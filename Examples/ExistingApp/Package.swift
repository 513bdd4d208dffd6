// swift-tools-version: 6.2
import PackageDescription

/// Warnings fail the builds of our scripts only, as in the library.
let noWarnings: [SwiftSetting] =
    Context.environment["BACKPLANE_DEVELOPMENT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// UIKit on Linux: declarations that follow Apple's documentation, in `Tests/Shapes`.
let shapes: [Target.Dependency] =
    Context.environment["BACKPLANE_SHAPES"] == nil ? [] : [.product(name: "Shapes", package: "backplane")]

let package = Package(
    name: "existing-app",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "ExistingApp", targets: ["ExistingApp"])],
    dependencies: [.package(name: "backplane", path: "../..")],
    targets: [
        // Without UIKit, only the values and the contracts are left.
        .target(
            name: "ExistingApp",
            dependencies: [
                .product(name: "Backplane", package: "backplane"),
                .product(name: "BackplaneFeatures", package: "backplane"),
                .product(name: "BackplaneNavigation", package: "backplane"),
                .product(name: "BackplaneUIKit", package: "backplane"),
            ] + shapes,
            // The settings of a new app in Xcode.
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ] + noWarnings
        )
    ]
)
