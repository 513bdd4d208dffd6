extension Motherboard {
    /// Allows links with the app's own schemes and web hosts.
    ///
    /// Without this, only bare paths are allowed.
    ///
    /// ```swift
    /// motherboard.allowLinks(schemes: ["myapp"], hosts: ["campus.example"])
    /// ```
    ///
    /// - Parameters:
    ///   - schemes: the app's own schemes, without `:`. Add `"http"` to allow plain web links from
    ///     `hosts`.
    ///   - hosts: the hosts whose `https` links are allowed, each with its port if that is not the
    ///     default.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func allowLinks(
        schemes: Set<String> = [],
        hosts: Set<String> = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        checkOwner()
        links.allow(schemes: schemes, hosts: hosts, fileID: fileID, line: line)
    }

    /// Registers a link template whose links activate a board.
    ///
    /// ```swift
    /// motherboard.registerLink("course/{id}?tab={tab}", to: Course.id) { link in
    ///     CourseInput(id: try link["id"], tab: try link["tab"])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - template: the shape of the links. A template that matches the same links as an earlier
    ///     one traps.
    ///   - id: the board to activate.
    ///   - parents: the links of the screens below the board's screen in the back stack, outermost
    ///     first. They may use only names of `template`. Opening a link does not open them; see
    ///     ``parents(of:)``.
    ///   - input: makes the board's input. If it throws, the result is ``LinkResult/invalid(_:)``.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
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
        // Adds the entry now, so that the motherboard's graph includes the board.
        let target = LinkTarget(board: entry(for: id, at: site).anyID, parents: parents) { parameters, motherboard in
            OpenedLink(motherboard.activate(id, with: try input(parameters)))
        }
        links.add(template, target, fileID: fileID, line: line)
    }

    /// Registers a link template whose only parameter is the board's input, such as
    /// `"course/{id}"`.
    ///
    /// - Parameters:
    ///   - template: the shape of the links. A template without parameters, or with several, traps.
    ///   - id: the board to activate.
    ///   - parents: the links of the screens below the board's screen in the back stack, outermost
    ///     first.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        parents: [LinkTemplate] = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Input: LinkParameter {
        CallSite(fileID, line).require(
            template.parameters.count == 1,
            "The template \"\(template)\" must have one parameter to be the input of '\(id)'; otherwise pass a closure."
        )
        let name = template.parameters[0].name
        registerLink(template, to: id, parents: parents, { link in try link[name] }, fileID: fileID, line: line)
    }

    /// Fails to compile, with a message: an input that a link cannot be read as needs a closure.
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

    /// Registers a link template whose links activate a board without input.
    ///
    /// - Parameters:
    ///   - template: the shape of the links.
    ///   - id: the board to activate.
    ///   - parents: the links of the screens below the board's screen in the back stack, outermost
    ///     first.
    ///   - fileID: the caller's file, for the trap message.
    ///   - line: the caller's line, for the trap message.
    public func registerLink<Contract>(
        _ template: LinkTemplate,
        to id: BoardID<Contract>,
        parents: [LinkTemplate] = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Contract.Input == Void {
        registerLink(template, to: id, parents: parents, { _ in }, fileID: fileID, line: line)
    }

    /// Opens a link: activates the one board that it leads to, with the input from the link.
    ///
    /// The screens below that board are not rebuilt. Links are looked up on this motherboard, then
    /// on its ancestors. The board is activated on the motherboard that registered the link. If a
    /// gate is in front of the board, the activation waits and continues when the gate opens. A
    /// malformed or hostile link has a result, too, and never traps.
    ///
    /// ```swift
    /// if motherboard.open(link) == .notAllowed { openInBrowser(link) }
    /// ```
    ///
    /// - Parameter link: `myapp://course/abc123`, `https://campus.example/course/abc123` or
    ///   `/course/abc123`.
    /// - Returns: a handle to the link. Its result already includes everything that happened
    ///   synchronously. To wait for a link at a gate, use ``OpenedLink/settled(isolation:)``.
    @discardableResult
    public func open(_ link: String) -> OpenedLink {
        checkOwner()
        if isCompleted { return OpenedLink(.ownerGone) }
        let (motherboard, match) = nearestMatch(of: link)
        return switch match {
        case .match(let target, let parameters): motherboard.follow(target, parameters)
        case .invalid(let error): OpenedLink(.invalid(error))
        case .noMatch: OpenedLink(.noMatch)
        case .notAllowed: OpenedLink(.notAllowed)
        }
    }

    /// Returns whether a registered template matches `link`, so that a window can make room for its
    /// screen.
    ///
    /// Nothing is activated, and no parameter is read. So ``open(_:)-(String)`` can still refuse a
    /// parameter, and a gate can deny the activation.
    ///
    /// ```swift
    /// // A link that leads nowhere must not close the user's sheet.
    /// guard motherboard.canOpen(link), navigator.uncover() else { return }
    /// motherboard.open(link)
    /// ```
    public func canOpen(_ link: String) -> Bool {
        checkOwner()
        guard !isCompleted, case .match = nearestMatch(of: link).match else { return false }
        return true
    }

    /// Returns the links of the screens below the screen that `link` leads to, outermost first.
    ///
    /// These are the parents that the link's registration names, with the values from `link`.
    /// Nothing is activated. A host puts a placeholder for each parent into its back stack. It
    /// opens the parent's link when the placeholder is shown:
    ///
    /// ```swift
    /// if motherboard.open(link) == .opened {
    ///     backStack = motherboard.parents(of: link)
    /// }
    /// ```
    ///
    /// A parent is left out if its path needs a query parameter that `link` does not have, or a
    /// value that no path can carry.
    ///
    /// - Returns: the parents' links; empty if `link` has no parents, leads nowhere or is
    ///   malformed.
    public func parents(of link: String) -> [String] {
        checkOwner()
        guard case .match(let target, let parameters) = nearestMatch(of: link).match else { return [] }
        return target.parents.compactMap { parent in try? parent.link { try? parameters.text(of: $0) } }
    }

    /// Returns the nearest motherboard that knows `link`, from here up to the root, and its match.
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

    private func follow(_ target: LinkTarget, _ parameters: LinkParameters) -> OpenedLink {
        do {
            return try target.open(parameters, self)
        } catch let error as LinkError {
            return OpenedLink(.invalid(error))
        } catch {
            let message = "The link's parameters were refused: the input closure threw \(type(of: error))."
            return OpenedLink(.invalid(LinkError(.refusedParameters, message)))
        }
    }
}
