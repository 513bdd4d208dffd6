// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "site",
    platforms: [.macOS(.v14)],
    targets: [
        .executableTarget(
            name: "site",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
