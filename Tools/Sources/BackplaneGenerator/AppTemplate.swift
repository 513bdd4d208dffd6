/// The files of an app without features, as the path of the documentation builds it.
///
/// Lines that begin with `//:` are teaching comments. Features are inserted above the marks.
struct AppTemplate {
    let app: String
    let faces: Set<Face>
    /// Where the manifest finds Backplane, as the text of a string literal.
    let backplane: String

    var files: [String: String] {
        var files = [
            ".gitignore": ".build/\n.swiftpm/\nPackage.resolved\n",
            "Package.swift": manifest,
            "Sources/\(app)/\(app)Window.swift": window,
            "Sources/\(app)/\(app)Assembly.swift": assembly,
            "Sources/\(app)/\(app)Flows.swift": flows,
            "Tests/\(app)Tests/\(app)WindowTests.swift": tests,
        ]
        if faces.contains(.terminal) { files.merge(terminal) { $1 } }
        if faces.contains(.swiftui) { files.merge(swiftUI) { $1 } }
        return files
    }

    private var manifest: String {
        let hasSwiftUI = """
            #if canImport(Darwin)
                let hasSwiftUI = true
            #else
                let hasSwiftUI = false
            #endif


            """
        let terminal = """

                    .executableTarget(name: "\(app)Terminal", dependencies: ["\(app)"], swiftSettings: settings),
            """
        let swiftUI = """

            if hasSwiftUI {
                package.targets.append(
                    .executableTarget(
                        name: "\(app)App",
                        dependencies: ["\(app)"] + backplane("SwiftUI"),
                        swiftSettings: settings
                    )
                )
            }

            """
        let isDrawn = faces.contains(.swiftui)
        return #"""
            // swift-tools-version: 6.2
            import PackageDescription

            //: As in a new app in Xcode, all code is on the main actor unless it is marked.
            let settings: [SwiftSetting] = [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]

            \#(isDrawn ? hasSwiftUI : "")func backplane(_ names: String...) -> [Target.Dependency] {
                names.map { .product(name: "Backplane\($0)", package: "backplane") }
            }

            let package = Package(
                name: "\#(app.lowercased())",
                platforms: [.iOS(.v17), .macOS(.v14)],
                products: [.library(name: "\#(app)", targets: ["\#(app)"])],
                dependencies: [.package(name: "backplane", path: "\#(backplane)")],
                targets: [
                    .target(
                        name: "\#(app)",
                        dependencies: backplane("", "Features", "Navigation")\#(isDrawn
                ? " + (hasSwiftUI ? backplane(\"SwiftUI\") : [])" : ""),\#(isDrawn
                ? "\n            exclude: hasSwiftUI ? [] : [\"SwiftUI\"]," : "")
                        swiftSettings: settings
                    ),\#(faces.contains(.terminal) ? terminal : "")
                    .testTarget(
                        name: "\#(app)Tests",
                        dependencies: ["\#(app)"] + backplane("", "Features", "Navigation", "Testing"),
                        swiftSettings: settings
                    ),
                ]
            )
            \#(isDrawn ? swiftUI : "")
            """#
    }

    private var window: String {
        """
        import Backplane
        import BackplaneNavigation

        /// The screens of the app, each with its model.
        enum \(app)Screen {
            \(Mark.screens)
        }

        //: A window has a motherboard, which connects features, and a navigator with the screens.
        final class \(app)Window: LifetimeOwner {
            let lifetime = Lifetime()
            let navigator: Navigator<\(app)Screen>
            let motherboard = Motherboard.onMain()
            let links = LinkReceiver()

            /// Creates a window; `hasTransitions` says whether the views of SwiftUI draw it.
            init(hasTransitions: Bool = true, _ modules: (Navigator<\(app)Screen>) -> [any BoardModule]) {
                navigator = Navigator(hasTransitions: hasTransitions)
                motherboard.pair(with: self)
                motherboard.allowLinks(schemes: ["\(app.lowercased())"])
                for module in modules(navigator) { motherboard.install(module) }
            }
        }

        """
    }

    private var assembly: String {
        """
        import Backplane

        /// The assembly: the only code that knows every feature.
        enum \(app)Assembly {
            static func makeWindow(hasTransitions: Bool = true) -> \(app)Window {
                let window = \(app)Window(hasTransitions: hasTransitions) { navigator in
                    [
                        //: Pass each feature what it needs. A `load` may send a request.
                        \(Mark.modules)
                        \(app)Flows(),
                    ]
                }
                window.motherboard.activate(Home.id)
                return window
            }
        }

        """
    }

    private var flows: String {
        """
        import Backplane

        /// The connections between features that do not know each other.
        struct \(app)Flows: BoardModule {
            func register(on motherboard: Motherboard) {
                //: This activates a page with the output of a list:
                //: motherboard.registerFlowSteps(MeetingList.id ->>> MeetingPage.id)
                //: This sends a command to the list when the page has sent an output:
                //: motherboard.registerFlow(from: MeetingPage.id) { meeting, motherboard in
                //:     motherboard.send(.mark(meeting), to: MeetingList.id)
                //: }
            }
        }

        """
    }

    private var tests: String {
        """
        import Backplane
        import BackplaneNavigation
        import BackplaneTesting
        import Testing

        @testable import \(app)

        @Test func `the app begins with its home`() {
            let window = \(app)Assembly.makeWindow(hasTransitions: false)
            #expect(window.navigator.places.count == 1)
            #expect(window.motherboard.isLive(Home.id))
        }

        """
    }
}
