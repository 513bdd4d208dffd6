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

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "backplane", path: "..")],
    targets: [
        // What glibc knows of the heap; Swift's own module of it leaves that header out.
        .systemLibrary(name: "CHeap"),
        .executableTarget(
            name: "bench",
            dependencies: ["CHeap", .product(name: "Backplane", package: "backplane")],
            swiftSettings: strict
        ),
    ]
)
