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
    name: "benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "backplane", path: "..", traits: ["AsyncHTTPClient"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.5.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
    ],
    targets: [
        // glibc's statistics of the heap; Swift's own module omits this header.
        .systemLibrary(name: "CHeap"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CHeap",
                .product(name: "Backplane", package: "backplane"),
                .product(name: "BackplaneAsyncHTTPClient", package: "backplane"),
                .product(name: "BackplaneFeatures", package: "backplane"),
                .product(name: "BackplaneNavigation", package: "backplane"),
                .product(name: "BackplaneNetworking", package: "backplane"),
                .product(name: "BackplaneStorage", package: "backplane"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
    ]
)
