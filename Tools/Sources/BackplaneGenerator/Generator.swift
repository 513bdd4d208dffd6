/// Plans what a command writes; it reads and writes no file itself.
package enum Generator {
    /// Returns the plan of a new app with one feature, its home.
    ///
    /// The package finds Backplane at the path `backplane`. `comments` says whether code explains
    /// itself to a reader who is new to Backplane.
    package static func newApp(
        _ name: TypeName,
        faces: Set<Face> = [.terminal],
        backplane: String,
        comments: Bool = true
    ) throws -> Plan {
        guard "\(name)" != "Home" else { throw GeneratorError("The name Home is taken: it is the first page.") }
        guard !backplane.contains(where: { $0.isNewline || $0 == "\0" }) else {
            throw GeneratorError("The path of Backplane has more than one line.")
        }
        let configuration = Configuration(
            app: "\(name)",
            comments: comments,
            faces: faces.sorted { $0.rawValue < $1.rawValue },
            sources: "Sources/\(name)",
            tests: "Tests/\(name)Tests"
        )
        let path = backplane.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        var files = AppTemplate(app: "\(name)", faces: faces, backplane: path).files
            .mapValues { teaching($0, comments: comments) }
        files[Configuration.file] = try encoded(configuration) + "\n"
        let home = FeatureTemplate(
            app: "\(name)",
            name: try TypeName("Home"),
            input: nil,
            output: nil,
            command: nil,
            isRoot: true
        )
        for step in try plan(home, configuration, declared: [:], read: { files[$0] }).steps {
            files[step.path] = step.contents
        }
        return Plan(
            steps: files.sorted { $0.key < $1.key }.map {
                Plan.Step(action: .create, path: $0.key, contents: $0.value)
            },
            next: ["swift test"] + (faces.contains(.terminal) ? ["swift run \(name)Terminal"] : [])
        )
    }

    /// Returns the plan of a new feature of an app.
    ///
    /// `declared` has the path of each type of the package, and `read` returns the text of a file.
    package static func newFeature(
        _ name: TypeName,
        input: Payload? = nil,
        output: Payload? = nil,
        command: Payload? = nil,
        declared: [String: String],
        read: (String) -> String?
    ) throws -> Plan {
        let configuration = try Configuration.read(read(Configuration.file))
        let feature = FeatureTemplate(
            app: configuration.app,
            name: name,
            input: input,
            output: output,
            command: command,
            isRoot: false
        )
        var plan = try plan(feature, configuration, declared: declared, read: read)
        if configuration.tests != nil { plan.next.append("swift test --filter \(name.stem)Tests") }
        if configuration.faces.contains(.terminal), input?.isLinkParameter != false {
            let id = input.map { "/" + $0.example.filter { $0 != "\"" } } ?? ""
            plan.next.append(
                "swift run \(configuration.app)Terminal \(configuration.app.lowercased())://\(name.path)\(id)"
            )
        }
        return plan
    }

    private static func plan(
        _ feature: FeatureTemplate,
        _ configuration: Configuration,
        declared: [String: String],
        read: (String) -> String?
    ) throws -> Plan {
        let files = feature.files(in: configuration).mapValues { teaching($0, comments: configuration.comments) }
        for type in feature.types {
            // Some disks, and the names of cases, do not tell `URLPage` from `UrlPage`.
            let twin = declared.first { $0.key.lowercased() == type.lowercased() && files[$0.value] == nil }
            if let twin { throw GeneratorError("The package has a type \(twin.key) already, in \(twin.value).") }
        }
        var plan = Plan()
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            let old = read(path)
            guard old == nil || old == text else {
                throw GeneratorError("\(path) exists and is different, so nothing was changed.")
            }
            plan.steps.append(Plan.Step(action: old == nil ? .create : .keep, path: path, contents: text))
        }
        plan.steps += feature.insertions(in: configuration).map { $0.step(in: read($0.path)) }
        return plan
    }

    /// Turns the lines that begin with `//:` into comments, or removes them.
    private static func teaching(_ text: String, comments: Bool) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { comments || !$0.drop { $0 == " " }.hasPrefix("//:") }
            .joined(separator: "\n").replacing("//:", with: "//")
    }
}
