import Foundation

/// Makes the site from the archives of DocC and the guides of the repository.
///
///     site REPOSITORY ARCHIVES OUTPUT [STALE…]
///
/// `STALE` are translations whose original has changed.
@main enum Main {
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst().prefix(3).map { URL(filePath: $0) }
        guard paths.count == 3 else { throw Failure("usage: site REPOSITORY ARCHIVES OUTPUT [STALE…]") }
        let (repository, archives, output) = (paths[0], paths[1], paths[2])
        let parts = repository.appending(path: "Documentation/Site")
        var site = Site(
            repository: repository,
            output: output,
            stale: Set(CommandLine.arguments.dropFirst(4)),
            template: try String(contentsOf: parts.appending(path: "page.html"), encoding: .utf8)
        )
        try? FileManager.default.removeItem(at: output)

        var home = try Page(guide: "Documentation/Site/Home.md", in: repository)
        home.path = "index"
        site.add(home)
        for guide in try guides(in: repository) { site.add(try Page(guide: guide, in: repository)) }
        let catalogs = try catalogs(in: repository)
        for archive in try contents(of: archives) where archive.pathExtension == "doccarchive" {
            let root = archive.appending(path: "data")
            let files =
                FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
                ?? []
            for file in files.filter({ $0.pathExtension == "md" }).sorted(by: { $0.path < $1.path }) {
                site.add(try Page(docc: file, under: root, sources: catalogs))
            }
        }

        try site.write()
        try site.writePage(
            "Search",
            String(contentsOf: parts.appending(path: "search.html"), encoding: .utf8),
            to: "search"
        )
        for file in ["site.css", "search.js"] {
            try FileManager.default.copyItem(at: parts.appending(path: file), to: output.appending(path: file))
        }
        for link in site.deadLinks { print("dead link: \(link)") }
        print("site: \(site.pages.count) pages in \(output.path)")
        if !site.deadLinks.isEmpty { exit(1) }
    }

    /// The guides, each as a path in the repository.
    private static func guides(in repository: URL) throws -> [String] {
        let folders = try ["Documentation", "Documentation/Path", "Documentation/vi"].flatMap { folder in
            try contents(of: repository.appending(path: folder)).map { "\(folder)/\($0.lastPathComponent)" }
        }
        return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Examples/Campus/README.md", "Examples/Club/README.md"]
            + folders.filter { $0.hasSuffix(".md") }
    }

    /// The articles of DocC's catalogs, by their paths in the site.
    private static func catalogs(in repository: URL) throws -> [String: String] {
        var result: [String: String] = [:]
        for module in try contents(of: repository.appending(path: "Sources")).map(\.lastPathComponent) {
            let catalog = "Sources/\(module)/\(module).docc"
            for file in (try? contents(of: repository.appending(path: catalog))) ?? [] where file.pathExtension == "md"
            {
                let name = file.deletingPathExtension().lastPathComponent
                let path = name == module ? "documentation/\(module)" : "documentation/\(module)/\(name)"
                result[path.lowercased()] = "\(catalog)/\(file.lastPathComponent)"
            }
        }
        return result
    }

    private static func contents(of folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
