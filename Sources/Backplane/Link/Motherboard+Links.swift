extension Motherboard {
    /// Lets links of an app's own schemes and of its own web hosts lead here; without this, only bare paths do.
    ///
    /// ```swift
    /// motherboard.allowLinks(schemes: ["myapp"], hosts: ["campus.example"])
    /// ```
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`; `"http"` to accept plain web links from `hosts`.
    ///   - hosts: the hosts whose `https` links are ours, each with a port if it is not the default one.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func allowLinks(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        links.allow(schemes: schemes, hosts: hosts, fileID: fileID, line: line)
    }

    /// Lets links of a shape activate a board.
    ///
    /// ```swift
    /// motherboard.registerLink("course/{id}?tab={tab}", to: .course) { link in
    ///     CourseInput(id: try link["id"], tab: try link["tab"])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - template: the shape; one that matches the same links as an earlier one traps.
    ///   - id: the board to activate.
    ///   - parents: the links of the screens below it in a host's back stack, outermost first, with names of `template`
    ///     only. Opening a link does not open them; see ``parents(of:)``.
    ///   - input: makes the board's input; what it throws makes the link ``LinkResult/invalid(_:)``.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        parents: [LinkTemplate] = [],
        _ input: @escaping (LinkParameters) throws -> Contract.Input,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = CallSite(fileID, line)
        for parent in parents {
            let names = Set(parent.parameters.map(\.name)).subtracting(template.parameters.map(\.name)).sorted()
            site.require(
                names.isEmpty,
                "The parent \"\(parent)\" of the link template \"\(template)\" has parameters that the link itself does not "
                    + "have: [\(names.joined(separator: ", "))]. Add them to the template."
            )
        }
        // Spoken of from now on, also by who looks at the motherboard's graph.
        let target = LinkTarget(board: record(for: id, at: site).anyID, parents: parents) { parameters, motherboard in
            motherboard.activate(id, with: try input(parameters)).state
        }
        links.add(template, target, fileID: fileID, line: line)
    }

    /// Lets links of a shape with one parameter, which is the board's input, activate it: `"course/{id}"`.
    ///
    /// - Parameters:
    ///   - template: the shape; one with no parameter or with several traps.
    ///   - id: the board to activate.
    ///   - parents: the links of the screens below it in a host's back stack, outermost first.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        parents: [LinkTemplate] = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Input: LinkParameter {
        CallSite(fileID, line).require(
            template.parameters.count == 1,
            "The template \"\(template)\" must have one parameter to be the input of '\(id)'; pass a closure otherwise."
        )
        let name = template.parameters[0].name
        registerLink(template, to: id, parents: parents, { link in try link[name] }, fileID: fileID, line: line)
    }

    /// Lets links of a shape activate a board that needs no input.
    ///
    /// - Parameters:
    ///   - template: the shape.
    ///   - id: the board to activate.
    ///   - parents: the links of the screens below it in a host's back stack, outermost first.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        parents: [LinkTemplate] = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Input == Void {
        registerLink(template, to: id, parents: parents, { _ in }, fileID: fileID, line: line)
    }

    /// Opens a link: activates the one board it leads to, with the input that is in it, and rebuilds nothing around it.
    ///
    /// Registered links are looked for here, then on the motherboards around this one; the board is activated where its
    /// link is registered. A board behind a gate waits there and then proceeds. Hostile text is answered, never trapped on.
    ///
    /// - Parameter link: `myapp://course/abc123`, `https://campus.example/course/abc123` or `/course/abc123`.
    /// - Returns: what became of it, after all that it caused synchronously.
    @discardableResult
    public func open(_ link: String) -> LinkResult {
        let (motherboard, match) = nearestMatch(of: link)
        return switch match {
        case .match(let target, let parameters): motherboard.follow(target, parameters)
        case .invalid(let error): .invalid(error)
        case .noMatch: .noMatch
        }
    }

    /// The links of the screens below the one that `link` leads to, outermost first.
    ///
    /// They are what the link's registration names as its parents, with the values that `link` has. Nothing is activated. A host puts a placeholder for each into its back stack and opens the link when the
    /// placeholder is shown, if it ever is:
    ///
    /// ```swift
    /// if motherboard.open(link) == .opened {
    ///     backStack = motherboard.parents(of: link)
    /// }
    /// ```
    ///
    /// A parent is left out if its path needs a query parameter that `link` does not have or that no path can carry.
    ///
    /// - Returns: the parents' links; none when `link` has no parents, leads nowhere or is malformed.
    public func parents(of link: String) -> [String] {
        guard case .match(let target, let parameters) = nearestMatch(of: link).match else { return [] }
        return target.parents.compactMap { parent in try? parent.link { try? parameters.text(of: $0) } }
    }

    /// What the nearest motherboard that knows `link` says of it, from here to the outermost one.
    private func nearestMatch(of link: String) -> (motherboard: Motherboard, match: LinkMatch<LinkTarget>) {
        var level = self
        while true {
            let match = level.links.match(link)
            guard case .noMatch = match, let parent = level.parent else { return (level, match) }
            level = parent
        }
    }

    private func follow(_ target: LinkTarget, _ parameters: LinkParameters) -> LinkResult {
        do {
            switch try target.activate(parameters, self) {
            case .waiting: return .waiting
            case .denied(let denial): return .denied(denial)
            case .noSuchBoard, .ownerGone: return .noMatch
            case .active, .superseded, .completed: return .opened
            }
        } catch let error as LinkError {
            return .invalid(error)
        } catch {
            return .invalid(
                LinkError(.refusedParameters, "The board's link refuses its parameters: \(type(of: error)).")
            )
        }
    }
}
