package import Foundation

/// A package on the disk, which is read before a plan is made, and in which the plan is performed.
package struct PackageFolder {
    package let url: URL

    /// Creates a package in a folder that need not exist.
    package init(_ url: URL) { self.url = url }

    private var files: FileManager { .default }

    /// Returns the text of a file; an empty text if something is there that has none.
    package func read(_ path: String) -> String? {
        let file = url.appending(path: path)
        guard files.fileExists(atPath: file.path) || isLink(file) else { return nil }
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }

    private func isLink(_ file: URL) -> Bool { (try? files.destinationOfSymbolicLink(atPath: file.path)) != nil }

    /// Returns, for each type that the Swift files declare, the path of its file.
    package func declaredTypes() -> [String: String] {
        var types: [String: String] = [:]
        for folder in ["Sources", "Tests"] {
            for case let path as String in files.enumerator(atPath: url.appending(path: folder).path) ?? .init()
            where path.hasSuffix(".swift") {
                for match in (read("\(folder)/\(path)") ?? "").matches(
                    of: /\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Za-z0-9_]+)/
                ) {
                    types[String(match.1)] = "\(folder)/\(path)"
                }
            }
        }
        return types
    }

    /// Throws unless a package can be created here.
    package func checkIsFree() throws {
        let parent = url.deletingLastPathComponent()
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: parent.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw GeneratorError("There is no folder \(parent.path).")
        }
        guard files.isWritableFile(atPath: parent.path) else {
            throw GeneratorError("The folder \(parent.path) cannot be written.")
        }
        guard read("") == nil || (try? files.contentsOfDirectory(atPath: url.path)) == [], !isLink(url) else {
            throw GeneratorError("\(url.path) exists and is no empty folder.")
        }
    }

    /// Creates the package: all of it, or nothing.
    package func create(_ plan: Plan) throws {
        try checkIsFree()
        let draft = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent)-\(UUID().uuidString)")
        defer { try? files.removeItem(at: draft) }
        do {
            for step in plan.steps { try write(step.contents, to: draft.appending(path: step.path)) }
        } catch {
            throw GeneratorError("\(url.path) cannot be written, so nothing was created.")
        }
        // This replaces an empty folder, and fails if it is not empty any more.
        guard rename(draft.path, url.path) == 0 else {
            throw GeneratorError("\(url.path) cannot be written, so nothing was created.")
        }
    }

    /// Performs a plan in the package: all of it, or nothing.
    package func change(_ plan: Plan) throws {
        var undo: [() -> Void] = []
        // Files are connected last, so a command that was killed can be repeated.
        for step in plan.steps {
            do {
                switch step.action {
                case .create: try create(step, undo: &undo)
                case .insert: try insert(step, undo: &undo)
                case .keep, .patch: break
                }
            } catch {
                for step in undo.reversed() { step() }
                throw GeneratorError(
                    "\(step.path) cannot be written, or has changed meanwhile, so nothing was changed."
                )
            }
        }
    }

    private func create(_ step: Plan.Step, undo: inout [() -> Void]) throws {
        let file = url.appending(path: step.path)
        var folder = file.deletingLastPathComponent()
        var missing: [URL] = []
        while !files.fileExists(atPath: folder.path) {
            missing.append(folder)
            folder.deleteLastPathComponent()
        }
        undo.append { for folder in missing { rmdir(folder.path) } }
        let draft = file.appendingPathExtension(UUID().uuidString)
        defer { try? files.removeItem(at: draft) }
        try write(step.contents, to: draft)
        // This does not replace a file that was created meanwhile.
        try files.moveItem(at: draft, to: file)
        undo.append { [files] in try? files.removeItem(at: file) }
    }

    private func insert(_ step: Plan.Step, undo: inout [() -> Void]) throws {
        let file = url.appending(path: step.path).resolvingSymlinksInPath()
        guard let original = step.original, read(step.path) == original else { throw CancellationError() }
        undo.append { [self] in try? replace(file, with: original) }
        try replace(file, with: step.contents)
    }

    /// Replaces a text at once, and keeps the permissions of its file.
    private func replace(_ file: URL, with text: String) throws {
        let permissions = try files.attributesOfItem(atPath: file.path)[.posixPermissions]
        try Data(text.utf8).write(to: file, options: .atomic)
        if let permissions { try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path) }
    }

    private func write(_ text: String, to file: URL) throws {
        try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .withoutOverwriting)
    }
}

extension PackageFolder {
    /// Returns the path that finds Backplane from a new package.
    ///
    /// A relative path stays relative, so that both folders can move together.
    ///
    /// - Throws: a `GeneratorError` if Backplane is not there.
    package static func backplane(at path: String, for package: URL) throws -> String {
        let folder = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
        let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        guard manifest?.contains("name: \"Backplane\"") == true else {
            throw GeneratorError("Backplane is not in \(folder.path): pass its folder with --backplane.")
        }
        guard !path.hasPrefix("/") else { return path }
        let (from, to) = (package.pathComponents, folder.pathComponents)
        let shared = zip(from, to).prefix { $0 == $1 }.count
        return (from.dropFirst(shared).map { _ in ".." } + to.dropFirst(shared)).joined(separator: "/")
    }
}
