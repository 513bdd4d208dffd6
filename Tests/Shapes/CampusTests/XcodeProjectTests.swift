import Foundation
import Testing

/// Tests that Xcode could open the project of the app for iOS, and find what it names.
@Suite struct XcodeProjectTests {
    private typealias Object = [String: Any]

    private let campus: URL
    private let folder: URL
    private let objects: [String: Object]
    private let rootID: String

    init() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        campus = tests.appending(path: "../../../Examples/Campus").standardizedFileURL
        folder = campus.appending(path: "Apple")
        let file = try Self.propertyList(folder.appending(path: "Campus.xcodeproj/project.pbxproj"))
        objects = try #require(file["objects"] as? [String: Object])
        rootID = try #require(file["rootObject"] as? String)
        // The format of Xcode 16, which has folders that need no list of their files.
        #expect(file["objectVersion"] as? String == "77")
    }

    private static func propertyList(_ file: URL) throws -> Object {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try #require(list as? Object, "\(file.path)")
    }

    /// The objects of a type.
    private func all(_ type: String) -> [Object] { objects.values.filter { $0["isa"] as? String == type } }

    /// The object that a property of another one names.
    private func object(_ name: String, of object: Object) throws -> Object {
        let id = try #require(object[name] as? String)
        return try #require(objects[id])
    }

    /// All strings in a value, at any depth.
    private func strings(in value: Any) -> [String] {
        switch value {
        case let string as String: [string]
        case let list as [Any]: list.flatMap(strings(in:))
        case let table as Object: table.values.flatMap(strings(in:))
        default: []
        }
    }

    /// The settings in `Campus.xcconfig`.
    private func settings() throws -> [String: String] {
        let text = try String(contentsOf: folder.appending(path: "Campus.xcconfig"), encoding: .utf8)
        var settings: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("//") {
            let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
            try #require(parts.count == 2, "\(line)")
            #expect(settings.updateValue(parts[1], forKey: parts[0]) == nil, "\(line)")
        }
        return settings
    }

    private func manifest() throws -> String {
        try String(contentsOf: campus.appending(path: "Package.swift"), encoding: .utf8)
    }

    @Test func `every reference leads to an object, and every object is referred to`() {
        let isID = { (string: String) in string.count == 24 && string.allSatisfy(\.isHexDigit) }
        let named = objects.values.flatMap(strings(in:)).filter(isID) + [rootID]
        #expect(Set(named) == Set(objects.keys))
        #expect(objects.keys.allSatisfy(isID))
        #expect(objects[rootID]?["isa"] as? String == "PBXProject")
    }

    @Test func `every file and folder of the project exists`() throws {
        let target = try #require(all("PBXNativeTarget").first)
        let product = try object("productReference", of: target)
        #expect(product["sourceTree"] as? String == "BUILT_PRODUCTS_DIR")
        let sources = try #require(all("PBXFileSystemSynchronizedRootGroup").first)
        var paths = (all("PBXFileReference") + [sources]).filter { $0["sourceTree"] as? String == "<group>" }
            .compactMap { $0["path"] as? String }
        #expect(paths.sorted() == ["Campus.xcconfig", "CampusApple", "Info.plist"])
        paths.append(try #require(settings()["INFOPLIST_FILE"]))
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: path).path), "\(path)")
        }
        let main = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "CampusApple").path)
        #expect(main == ["CampusAppleApp.swift"])
    }

    @Test func `the app has its settings and its sources, and links a product of the package`() throws {
        let project = try #require(objects[rootID])
        let target = try #require(all("PBXNativeTarget").first)
        let list = try object("buildConfigurationList", of: project)
        for id in try #require(list["buildConfigurations"] as? [String]) {
            let configuration = try #require(objects[id])
            #expect(try object("baseConfigurationReference", of: configuration)["path"] as? String == "Campus.xcconfig")
        }
        let folders = try #require(target["fileSystemSynchronizedGroups"] as? [String])
        #expect(folders.compactMap { objects[$0]?["path"] as? String } == ["CampusApple"])
        let phases = try #require(target["buildPhases"] as? [String]).compactMap { objects[$0]?["isa"] as? String }
        #expect(phases == ["PBXSourcesBuildPhase", "PBXFrameworksBuildPhase"])

        let package = try #require(all("XCLocalSwiftPackageReference").first?["relativePath"] as? String)
        #expect(folder.appending(path: package).standardizedFileURL.path == campus.path)
        let products = all("XCSwiftPackageProductDependency").compactMap { $0["productName"] as? String }
        #expect(products == ["CampusAppleUI"])
        let file = try #require(all("PBXBuildFile").first)
        let linked = try object("productRef", of: file)
        #expect(linked["productName"] as? String == "CampusAppleUI")
        #expect(try manifest().contains(#/\.library\(\s*name: "CampusAppleUI"/#))
    }

    @Test func `the scheme builds and runs the app`() throws {
        let file = folder.appending(path: "Campus.xcodeproj/xcshareddata/xcschemes/CampusiOS.xcscheme")
        let scheme = try String(contentsOf: file, encoding: .utf8)
        let targets = scheme.matches(of: #/BlueprintIdentifier = "(.+)"/#).map { objects[String($0.1)] }
        #expect(targets.map { $0?["isa"] as? String } == ["PBXNativeTarget", "PBXNativeTarget"])
        let names = scheme.matches(of: #/(?:BlueprintName|BuildableName) = "(.+)"/#).map { String($0.1) }
        #expect(Set(names) == ["CampusiOS", "CampusiOS.app"])
        #expect(targets.allSatisfy { $0?["name"] as? String == "CampusiOS" })
        #expect(scheme.contains("container:Campus.xcodeproj"))
    }

    @Test func `the app has the same minimum system as its package`() throws {
        let version = try #require(settings()["IPHONEOS_DEPLOYMENT_TARGET"]?.split(separator: ".").first)
        #expect(try manifest().contains(".iOS(.v\(version))"))
    }

    /// Apps that are built with the SDK of iOS 27 do not start without scenes.
    @Test func `the app has a launch screen, scenes, links of its own, and may ask an API on the Mac`() throws {
        let settings = try settings()
        for key in ["UILaunchScreen_Generation", "UIApplicationSceneManifest_Generation"] {
            #expect(settings["INFOPLIST_KEY_\(key)"] == "YES")
        }
        let info = try Self.propertyList(folder.appending(path: "Info.plist"))
        let types = try #require(info["CFBundleURLTypes"] as? [Object])
        #expect(types.map { $0["CFBundleURLSchemes"] as? [String] } == [["campus"]])
        let transport = try #require(info["NSAppTransportSecurity"] as? Object)
        #expect(transport["NSAllowsLocalNetworking"] as? Bool == true)
    }
}
