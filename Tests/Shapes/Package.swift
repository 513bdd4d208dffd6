// swift-tools-version: 6.2
import PackageDescription

// Compiles and tests on Linux what is written for SwiftUI and UIKit: the adapters and the samples.
// The manifests of the dependencies have these modules only if BACKPLANE_SHAPES is set, so build
// this package with `make test-shapes`.

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
    ] + noWarnings + [
        // The test library's overlay for UIKit, which does not exist on Linux, is not looked for.
        .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])
    ]

let shapes: Target.Dependency = .product(name: "Shapes", package: "backplane")

func backplane(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: "Backplane\($0)", package: "backplane") } + [shapes, "ShapesTestTools"]
}

let package = Package(
    name: "shapes",
    platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [
        // With the traits of the other builds, which share what is compiled.
        .package(name: "backplane", path: "../..", traits: ["AsyncHTTPClient"]),
        .package(name: "campus", path: "../../Examples/Campus"),
        .package(name: "club", path: "../../Examples/Club"),
        .package(name: "existing-app", path: "../../Examples/ExistingApp"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    ],
    targets: [
        // The name differs from the library's, because both packages are built in one folder. The
        // excluded files need a module that is no product.
        .target(
            name: "ShapesTestTools",
            path: "ShapesTestTools",
            exclude: ["EveryOwnerPath.swift", "Failures.swift"],
            swiftSettings: strict
        ),
        .target(
            name: "ShapeProbe",
            dependencies: [shapes],
            path: "ShapeProbe",
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneSwiftUITests",
            dependencies: backplane("", "Features", "Navigation", "Networking", "Storage", "SwiftUI", "Testing") + [
                .product(name: "HTTPTypes", package: "swift-http-types")
            ],
            path: "SwiftUITests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "BackplaneUIKitTests",
            dependencies: backplane("", "Navigation", "UIKit", "Testing"),
            path: "UIKitTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeychainTests",
            dependencies: [.product(name: "KeychainShapes", package: "backplane"), "ShapesTestTools"],
            path: "KeychainTests",
            swiftSettings: strict
        ),
        // The SwiftUI faces of Campus.
        .testTarget(
            name: "CampusTests",
            dependencies: [.product(name: "CampusAppleUI", package: "campus")] + backplane("Testing"),
            path: "CampusTests",
            swiftSettings: strict
        ),
        // The views of the app that the path of the documentation builds.
        .testTarget(
            name: "ClubViewTests",
            dependencies: [.product(name: "Club", package: "club")] + backplane("Testing"),
            path: "ClubTests",
            swiftSettings: strict
        ),
        // The UIKit app that adopts boards in steps.
        .testTarget(
            name: "ExistingAppTests",
            dependencies: backplane("", "Features", "Navigation", "UIKit", "Testing") + [
                .product(name: "ExistingApp", package: "existing-app")
            ],
            path: "ExistingAppTests",
            swiftSettings: strict
        ),
    ]
)

// The only test targets to build, as in the library.
if let names = Context.environment["BACKPLANE_TEST_TARGETS"]?.split(whereSeparator: \.isWhitespace).map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
