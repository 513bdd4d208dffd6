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
        checkOwner()
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
    ///     only. Opening a link does not open them; see ``parents(of:)-(String)``.
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
        let target = LinkTarget(board: entry(for: id, at: site).anyID, parents: parents) { parameters, motherboard in
            motherboard.activate(id, with: try input(parameters))
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

    /// Does not compile when called, and says why: an input that a link cannot be read as needs a
    /// closure.
    @_documentation(visibility: internal)
    @available(
        *,
        unavailable,
        message: """
            without a closure the board's Input must be Void or conform to LinkParameter; declare that conformance, or \
            pass a closure: registerLink(…, to: …) { link in Input(id: try link["id"]) }
            """
    )
    @_disfavoredOverload
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        parents: [LinkTemplate] = []
    ) {}

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
    /// ```swift
    /// if motherboard.open(link) == .notAllowed { openInBrowser(link) }
    /// ```
    ///
    /// - Parameter link: `myapp://course/abc123`, `https://campus.example/course/abc123` or `/course/abc123`.
    /// - Returns: a handle on the link, with its outcome so far: after all that it caused
    ///   synchronously. A link that waits at a gate can be awaited:
    ///   ``LinkActivation/settled(isolation:)``.
    @discardableResult
    public func open(_ link: String) -> LinkActivation {
        checkOwner()
        if isCompleted { return LinkActivation(.ownerGone) }
        let (motherboard, match) = nearestMatch(of: link)
        return switch match {
        case .match(let target, let parameters): motherboard.follow(target, parameters)
        case .invalid(let error): LinkActivation(.invalid(error))
        case .noMatch: LinkActivation(.noMatch)
        case .notAllowed: LinkActivation(.notAllowed)
        }
    }

    /// The links of the screens below the one that `link` leads to, outermost first.
    ///
    /// They are what the link's registration names as its parents, with the values that `link` has.
    /// Nothing is activated. A host puts a placeholder for each into its back stack and opens the
    /// link when the placeholder is shown, if it ever is:
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
        checkOwner()
        guard case .match(let target, let parameters) = nearestMatch(of: link).match else { return [] }
        return target.parents.compactMap { parent in try? parent.link { try? parameters.text(of: $0) } }
    }

    /// What the nearest motherboard that knows `link` says of it, from here to the outermost one.
    private func nearestMatch(of link: String) -> (motherboard: Motherboard, match: LinkMatch<LinkTarget>) {
        var level = self
        var isOurs = false
        while true {
            let match = level.links.match(link)
            switch match {
            case .match, .invalid: return (level, match)
            case .noMatch: isOurs = true
            case .notAllowed: break
            }
            guard let parent = level.parent else { return (level, isOurs ? .noMatch : .notAllowed) }
            level = parent
        }
    }

    private func follow(_ target: LinkTarget, _ parameters: LinkParameters) -> LinkActivation {
        do {
            return LinkActivation(try target.activate(parameters, self))
        } catch let error as LinkError {
            return LinkActivation(.invalid(error))
        } catch {
            let message = "The board's link refuses its parameters: \(type(of: error))."
            return LinkActivation(.invalid(LinkError(.refusedParameters, message)))
        }
    }
}
